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

/** Fields that can be set in `android` and in the vendor's object. */
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

/** Fields that only `harmony` has. */
const harmonyFields = ['action', 'uri', 'collapse_key', 'foreground_show'] as const;

/** Fields that only `webpush` has. */
const webPushFields = ['navigate', 'tag', 'icon', 'lang', 'dir', 'silent', 'urgency'] as const;

/** Every message field that can be sent to a vendor, named as in the API. */
export const messageFields = [
  ...commonFields,
  ...iosFields,
  ...androidFields,
  ...harmonyFields,
  ...webPushFields,
] as const;

export type MessageField = (typeof messageFields)[number];

/**
 * The vendor's counterpart of a field, or the reason why the field is dropped. Both are fragments without a final period.
 */
export type FieldMapping =
  // `isVendorObjectOnly`: the field of `android` has another meaning for this vendor and is ignored.
  | { readonly becomes: string; readonly isVendorObjectOnly?: true }
  // `exceptValue`: the only value that has an effect.
  | { readonly dropped: string; readonly exceptValue?: string };

export type FieldTable = Readonly<Record<MessageField, FieldMapping>>;

const drop = <Field extends MessageField>(fields: readonly Field[], dropped: string) =>
  Object.fromEntries(fields.map((field) => [field, { dropped }])) as Record<Field, FieldMapping>;

const droppedHarmonyFields = drop(harmonyFields, 'only HarmonyOS uses this field');

const droppedWebPushFields = drop(webPushFields, 'only Web Push uses this field');
const droppedAndroidFields = drop(androidFields, 'only Android vendors use this field');
const droppedIosFields = drop(iosFields, 'only APNs uses this field');

/** The fields of the other vendors, which are not sent to APNs. */
export const droppedVendorFields = { ...droppedAndroidFields, ...droppedHarmonyFields, ...droppedWebPushFields };

/** The fields of the other vendors, which are not sent to browsers. */
export const droppedPhoneFields = { ...droppedIosFields, ...droppedAndroidFields, ...droppedHarmonyFields };

const defaults = {
  ...drop(['show_begin_time'], 'Carillon does not send the notification before this time'),
  ...droppedIosFields,
  ...drop(['importance'], 'only Huawei uses this field'),
  ...drop(['badge_class'], 'only Huawei and Honor use this field'),
  ...drop(['notify_level'], 'only OPPO uses this field'),
  ...drop(['template_id', 'template_param'], 'only Xiaomi uses this field'),
  ...drop(['notice_msg_type'], 'only Meizu uses this field'),
  ...drop(['push_mode', 'classification'], 'only vivo uses this field'),
  ...droppedHarmonyFields,
  ...droppedWebPushFields,
};

/**
 * Returns the field table of an Android vendor. Vendor-specific fields are dropped by default; `own` overrides the
 * defaults.
 */
export const androidFieldTable = (own: Omit<FieldTable, keyof typeof defaults> & Partial<FieldTable>): FieldTable => ({
  ...defaults,
  ...own,
});
