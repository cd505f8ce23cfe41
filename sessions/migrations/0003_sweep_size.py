from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0002_no_statistics")]

    operations = [
        migrations.AddField(model_name="sweep", name="size", field=models.PositiveIntegerField(db_default=0)),
    ]
