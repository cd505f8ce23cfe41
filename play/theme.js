/* Before anything is drawn: the look that was chosen last, or none, which is the device's. */
try {
  const theme = localStorage.getItem("boneyard.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is forbidden here: then the device decides.
}
