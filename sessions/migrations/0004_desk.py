from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0003_bans_and_refused_names"),
    ]

    operations = [
        migrations.CreateModel(
            name="StaffGuess",
            fields=[
                ("key", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("entered", models.BooleanField(default=False)),
                ("guesses", models.PositiveIntegerField(default=0)),
                ("again_at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.AlterModelOptions(
            name="player",
            options={
                "default_permissions": ("view",),
                "permissions": (("moderate_player", "Can take players off their tables"),),
            },
        ),
        migrations.AddField(
            model_name="token",
            name="device",
            field=models.CharField(max_length=64, null=True),
        ),
    ]
