"""What only a real browser can tell. Run by `make test-browser`; needs Chromium."""
