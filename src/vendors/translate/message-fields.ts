const commonFields = [
  'type',
  'title',
  'body',
  'attachment_url',
  'big_text',
  'badge',
  'ext',
  'show_begin_time',
  'show_end_time',
] as const;

const iosFields = [
  'ios.sound',
  'ios.content_available',
  'ios.mutable_content',
  'ios.category',
  'ios.thread_id',
  'ios.subtitle',
  'ios.apns_collapse_id',
] as const;

/** In `android` and in the vendor's own object. */
const androidFields = [
  'sound',
  'channel_id',
  'click_action',
  'intent',
  'category',
  'importance',
  'notify_level',
  'template_id',
  'template_param',
  'notice_msg_type',
  'badge_class',
  'push_mode',
  'classification',
] as const;

/** Every message field that can be sent to a vendor, named as in the API. */
export const messageFields = [...commonFields, ...iosFields, ...androidFields] as const;

export type MessageField = (typeof messageFields)[number];

/** The vendor's counterpart of a field, or the reason why the field is dropped. */
export type FieldMapping =
  // `isVendorObjectOnly`: the field of `android` has another meaning for this vendor and is ignored.
  { readonly becomes: string; readonly isVendorObjectOnly?: true } | { readonly dropped: string };

export type FieldTable = Readonly<Record<MessageField, FieldMapping>>;

const drop = <Field extends MessageField>(fields: readonly Field[], dropped: string) =>
  Object.fromEntries(fields.map((field) => [field, { dropped }])) as Record<Field, FieldMapping>;

/** The fields of Android devices, for the vendor of iPhones. */
export const droppedAndroidFields = drop(androidFields, 'of Android phones');

const defaults = {
  ...drop(['show_begin_time'], 'Carillon holds the notification until then.'),
  ...drop(iosFields, 'iPhones are reached through APNs.'),
  ...drop(['importance'], "It is Huawei's."),
  ...drop(['badge_class'], 'Only Huawei and Honor use this field.'),
  ...drop(['notify_level'], "It is OPPO's."),
  ...drop(['template_id', 'template_param'], "It is Xiaomi's."),
  ...drop(['notice_msg_type'], "It is Meizu's."),
  ...drop(['push_mode', 'classification'], "It is vivo's."),
};

/** Returns the table of a vendor of Android devices. Its own fields replace the defaults, which drop a field. */
export const androidFieldTable = (own: Omit<FieldTable, keyof typeof defaults> & Partial<FieldTable>): FieldTable => ({
  ...defaults,
  ...own,
});
