import json
import os

import carillon_client as carillon

USER_IDS = [2**53 + 1, 2**63 - 1]

configuration = carillon.Configuration(host=os.environ["CARILLON_URL"])
configuration.api_key["app_id"] = os.environ["CARILLON_APP_ID"]
configuration.api_key["access_token"] = os.environ["CARILLON_TOKEN"]
with carillon.ApiClient(configuration) as client:
    audience = carillon.Audience(carillon.AudienceSelection(user_id=USER_IDS))
    message = carillon.Message(title="Hello", body="Sent from Python")
    request = carillon.PushNotifyRequest(audience=audience, message=message)
    task_id = carillon.PushApi(client).push_notify(request).data.task_id
    users = carillon.AdminUserApi(client)
    requests = [carillon.AdminUserFindRequest(user_id=user_id) for user_id in USER_IDS]
    found = [users.admin_user_find(admin_user_find_request=request).data for request in requests]
print(json.dumps([str(value) for value in [task_id, *(user.user_id for user in found)]]))
