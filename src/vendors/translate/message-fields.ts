/** Every field of a message that a vendor may be told, as the public interface names them. */
export const messageFields = [
  'type',
  'title',
  'body',
  'attachment_url',
  'big_text',
  'badge',
  'ext',
  'show_begin_time',
  'show_end_time',
  'ios.sound',
  'ios.content_available',
  'ios.mutable_content',
  'ios.category',
  'ios.thread_id',
  'ios.subtitle',
  'ios.apns_collapse_id',
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

/** Those without a dot from `sound` on are in `android` and in the vendor's own object. */
export type MessageField = (typeof messageFields)[number];

/** What a field becomes in the vendor's words, or why the vendor is not told of it. */
export type FieldMapping =
  // `isOwnOnly`: that of `android` means something else there, and is not looked at.
  { readonly becomes: string; readonly isVendorObjectOnly?: true } | { readonly dropped: string };

export type FieldTable = Readonly<Record<MessageField, FieldMapping>>;
