"""Tests of the moderators' desk."""
