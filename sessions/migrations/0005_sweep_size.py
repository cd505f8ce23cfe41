from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("players", "0004_desk")]

    operations = [
        migrations.AddField(model_name="sweep", name="size", field=models.PositiveIntegerField(db_default=0)),
    ]
