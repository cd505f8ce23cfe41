// Choosing is enough: the buttons that send a choice are for who has no scripts.
document.addEventListener("DOMContentLoaded", () => {
  for (const button of document.querySelectorAll("[data-needless]")) button.hidden = true;
  for (const input of document.querySelectorAll("[data-submits]")) {
    input.addEventListener("change", () => input.form.requestSubmit());
    const shown = input.parentElement.querySelector("output");
    if (shown) input.addEventListener("input", () => { shown.textContent = `${input.value} of ${input.max}`; });
  }
});
