from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0003_bans_and_refused_names")]

    operations = [
        migrations.AddField(model_name="sweep", name="size", field=models.PositiveIntegerField(db_default=0)),
    ]
