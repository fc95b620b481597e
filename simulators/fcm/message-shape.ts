/** Type of a field in FCM's JSON. `any` is not checked; it is used for `apns` and `webpush`. */
export type Kind =
  | 'string'
  | 'bool'
  | 'int32'
  | 'number'
  | 'duration'
  | 'timestamp'
  | 'strings'
  | 'durations'
  | 'data' // a map of strings with names that the sender chooses
  | 'any'
  | { readonly words: readonly string[]; readonly type: string }
  | { readonly fields: Shape };

export type Shape = Readonly<Record<string, Kind>>;

const FCM = 'type.googleapis.com/google.firebase.fcm.v1';
const enumOf = (type: string, list: string): Kind => ({ words: list.split(' '), type: `${FCM}.${type}` });

const androidNotification: Shape = {
  title: 'string',
  body: 'string',
  icon: 'string',
  color: 'string',
  sound: 'string',
  tag: 'string',
  click_action: 'string',
  body_loc_key: 'string',
  body_loc_args: 'strings',
  title_loc_key: 'string',
  title_loc_args: 'strings',
  channel_id: 'string',
  ticker: 'string',
  sticky: 'bool',
  event_time: 'timestamp',
  local_only: 'bool',
  notification_priority: enumOf(
    'AndroidNotification.NotificationPriority',
    'PRIORITY_UNSPECIFIED PRIORITY_MIN PRIORITY_LOW PRIORITY_DEFAULT PRIORITY_HIGH PRIORITY_MAX',
  ),
  default_sound: 'bool',
  default_vibrate_timings: 'bool',
  default_light_settings: 'bool',
  vibrate_timings: 'durations',
  visibility: enumOf('AndroidNotification.Visibility', 'VISIBILITY_UNSPECIFIED PRIVATE PUBLIC SECRET'),
  notification_count: 'int32',
  light_settings: {
    fields: {
      color: { fields: { red: 'number', green: 'number', blue: 'number', alpha: 'number' } },
      light_on_duration: 'duration',
      light_off_duration: 'duration',
    },
  },
  image: 'string',
  bypass_proxy_notification: 'bool',
  proxy: enumOf('AndroidNotification.Proxy', 'PROXY_UNSPECIFIED ALLOW DENY IF_PRIORITY_LOWERED'),
};

const fcmOptions: Kind = { fields: { analytics_label: 'string' } };

const message: Shape = {
  name: 'string',
  data: 'data',
  notification: { fields: { title: 'string', body: 'string', image: 'string' } },
  android: {
    fields: {
      collapse_key: 'string',
      priority: enumOf('AndroidConfig.AndroidMessagePriority', 'NORMAL HIGH'),
      ttl: 'duration',
      restricted_package_name: 'string',
      data: 'data',
      notification: { fields: androidNotification },
      fcm_options: fcmOptions,
      direct_boot_ok: 'bool',
      bandwidth_constrained_ok: 'bool',
      restricted_satellite_ok: 'bool',
    },
  },
  webpush: 'any',
  apns: 'any',
  fcm_options: fcmOptions,
  token: 'string',
  fid: 'string',
  topic: 'string',
  condition: 'string',
};

/** The body of a send request (v1 projects.messages), from Google's discovery document. */
export const sendShape: Shape = { validate_only: 'bool', message: { fields: message } };
