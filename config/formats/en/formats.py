"""Moments are told with their zone, as staff may sit in another."""

DATETIME_FORMAT = r"M j, Y, H:i \U\T\C"
