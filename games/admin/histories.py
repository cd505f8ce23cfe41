"""What came of replaying stored tables, and when the sweeps last ran: for operators."""

from django.contrib import admin

from config.staff import ReadOnlyAdmin
from games.models import HistoryCheck
from sessions.models import Sweep


@admin.register(HistoryCheck)
class HistoryCheckAdmin(ReadOnlyAdmin):
    list_display = ("at", "tables", "moves", "differing")


@admin.register(Sweep)
class SweepAdmin(ReadOnlyAdmin):
    list_display = ("name", "ran_at")
