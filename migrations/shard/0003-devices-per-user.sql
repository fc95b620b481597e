-- Why: a guid is not a secret, so a login with the guid of another user's device must not change that device.

create unique index devices_by_guid_and_user on devices (app_id, device_guid, (coalesce(user_id, former_user_id)));
drop index devices_by_guid;
