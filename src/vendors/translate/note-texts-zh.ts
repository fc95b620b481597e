import { chinese } from '#src/domain/language/chinese.ts';
import { channelNamesZh as names } from '#src/domain/trace/texts-zh.ts';
import type { DailyCap } from './daily-cap.ts';
import type { NoteTexts } from './note-texts-en.ts';

const capText = ({ usual, news }: DailyCap): string =>
  `每日上限：每台设备每个应用每天 ${usual} 条（新闻类应用 ${news} 条）`;
const withCap = (cap: DailyCap | null): string => (cap ? `。${capText(cap)}` : '');

/** Chinese sentences about content that a vendor cuts or rejects, and about restrictions by vendors. */
export const noteTextsZh: NoteTexts = {
  unreadable: '凭据无法解密。请重新保存。',
  endsTooSoon: '通知不会发送给此厂商，因为 show_end_time 早于其最短有效期。',

  textCut: (shown, full, limit) => chinese`内容共${full}个字符，截断为${shown}个：${limit}。`,
  dataOmitted: (field, limit) => chinese`传给应用的数据中省略${field}：${limit}。`,
  charactersLimit: (vendor, max) => chinese`${names[vendor]}最多接受${max}个字符`,
  bytesLimit: (vendor, max) => chinese`${names[vendor]}最多接受${max}字节`,
  titleCut: (max) => chinese`标题截断为${max}个字符。`,
  bigTextCut: (max) => chinese`big_text 截断为${max}个字符。`,
  bigTextHidden: (vendor) => chinese`big_text 不会显示：${names[vendor]}不支持。`,
  noImages: (vendor) => chinese`图片被省略：${names[vendor]}不显示图片。`,
  onlyHttpsImages: (vendor) =>
    chinese`图片被省略：${vendor === 'webpush' ? '浏览器' : names[vendor]}只通过 https 加载图片。`,
  onlyOwnImages: (vendor) => chinese`图片被省略：${names[vendor]}只显示其自有服务器上的图片。`,
  onlyBroadcastImages: (vendor) => chinese`图片被省略：${names[vendor]}只在广播中显示图片。`,

  noDataOnly: (vendor) => chinese`消息会被拒绝：${names[vendor]}不支持透传消息。`,
  bodyRequired: (vendor) => chinese`消息会被拒绝：${names[vendor]}要求内容不为空。`,
  titleAndBodyRequired: (vendor) => chinese`消息会被拒绝：${names[vendor]}要求标题和内容不为空。`,
  intentTooLong: (vendor, max) => chinese`消息会被拒绝：intent 超过${names[vendor]}的上限${max}个字符。`,
  dataTooLong: (vendor, max) => chinese`消息会被拒绝：传给应用的数据超过${names[vendor]}的上限${max}个字符。`,
  tooLarge: (vendor, max) => chinese`消息会被拒绝：大小超过${names[vendor]}的上限${max}字节。`,
  tooLargeWithoutText: (vendor, max) =>
    chinese`消息会被拒绝：即使去掉内容，大小仍超过${names[vendor]}的上限${max}字节。`,
  perhapsTooLarge: (vendor, max) => chinese`消息可能被拒绝：即使去掉内容，大小仍超过${names[vendor]}的上限${max}字节。`,

  dataHeld: (vendor) => chinese`${names[vendor]}会保留透传消息，直到应用运行。如果用户必须立即看到，请发送通知。`,
  testMessageOfApp: (perDay) => chinese`这是测试消息。每个应用每天最多${perDay}条测试消息：如需更多，请使用环境 1。`,
  testMessageOfProject: (perDay) =>
    chinese`这是测试消息。每个项目每天最多${perDay}条测试消息：如需更多，请使用环境 1。`,

  apnsDataOnly: (from, to) =>
    `APNs 每小时大约只向一部手机送达 ${from} 到 ${to} 条透传消息（cmd），其余的会延迟或不送达。紧急消息请以通知发送；如需唤醒应用，请设置 ios.content_available。`,
  fcmDataOnly: '透传消息（cmd）的优先级为 NORMAL，休眠的手机在唤醒后才能收到。紧急消息请以通知发送。',

  huaweiNoClass: (cap) =>
    `消息和凭据都没有指定分类，因此华为按营销消息处理。${capText(cap)}。如需避免，请在 huawei.category 或凭据中指定应用已获批的分类。`,
  huaweiMarketing: (cap) =>
    `消息的分类是 MARKETING。${capText(cap)}。如果不是营销消息，请在 huawei.category 中指定其他分类。`,
  huaweiLow: '重要性为 LOW 时，华为显示通知但不响铃。如需响铃，请把 huawei.importance 设为 NORMAL。',

  harmonyNoClass: (cap) =>
    `消息和凭据都没有指定分类，因此以 MARKETING 发送。${capText(cap)}，且不响铃。如需避免，请在 harmony.category 或凭据中指定应用已获批的分类。`,
  harmonyMarketing: (cap) =>
    `消息的分类是 MARKETING。${capText(cap)}，且不响铃。如果不是营销消息，请在 harmony.category 中指定其他分类。`,

  honorUnknownClass: (category, importance) =>
    chinese`荣耀不支持分类${category}，因此以${importance}发送。请把 honor.category 设为 LOW 或 NORMAL。`,
  honorLow: (cap) =>
    `重要性为 LOW 时，荣耀按营销消息处理${withCap(cap)}。如果应用有权限，请把 honor.category 设为 NORMAL。`,
  honorLowImage: '图片不会显示：重要性为 LOW 时，荣耀不显示图片。',
  honorNoImportance: (cap) =>
    `消息和凭据都没有设置重要性，因此以 NORMAL 发送。自 2024-12-31 起，如果应用没有 NORMAL 的权限，荣耀按营销消息处理${withCap(cap)}。请把凭据中的 importance 设为应用已获批的值。`,

  xiaomiNoChannel: (perDay) =>
    chinese`消息和凭据都没有指定 channel。没有 channel 时，设备每天只能收到每个应用${perDay}条消息，较新的应用则收不到。请在 xiaomi.channel_id 或凭据中指定小米后台的 channel。`,
  xiaomiNoTemplate: (channelId) =>
    chinese`channel ${channelId}是私信类，但消息没有模板。小米要求私信消息使用模板：请在 xiaomi.template_id 或凭据中指定。`,
  xiaomiPublic: (cap) =>
    `没有模板的消息属于小米的公信类。${capText(cap)}。如需发送私信消息，请在 xiaomi.channel_id 中设置私信 channel，在 xiaomi.template_id 中设置其模板，或都在凭据中设置。`,
  xiaomiOtherVariables: (variables, expected) =>
    chinese`xiaomi.template_param 中的变量是${variables}，但模板的变量是${expected}。小米会拒绝此消息。`,

  oppoNoClass: (cap) =>
    `消息和凭据都没有指定分类，因此 OPPO 按内容与营销消息处理。${capText(cap)}。如需避免，请在 oppo.category 或凭据中指定应用已获批的分类。`,
  oppoLevelOmitted: 'notify_level 被省略：OPPO 只接受与分类一起设置的 notify_level。',
  oppoMarketing: (category, cap) =>
    chinese`分类${category}属于内容与营销。${capText(cap)}。如果消息不属于此类，请在 oppo.category 中指定其他分类。`,
  oppoDefaultLevel: (category) =>
    chinese`消息使用 OPPO 的默认提醒等级，因为凭据中的 notify_level 只适用于凭据自己的分类。如果应用已获批${category}的等级，请设置 oppo.notify_level。`,

  vivoTestMessage: (perDay) =>
    chinese`这是测试消息，只会送达 vivo 后台登记的设备。每个应用每天最多${perDay}条测试消息：如需送达其他设备，请使用环境 1 和 push_mode 0。`,
  vivoClassificationIgnored: (category) =>
    chinese`classification 1 未生效，因为${category}属于运营消息：请指定系统消息的分类。`,
  vivoCategoryIgnored: (category) =>
    chinese`凭据中的分类${category}未生效，因为这是运营消息：请把 vivo.classification 设为 1，或在凭据中设置 default_classification。`,
  vivoOperational: (cap, from, to) =>
    `这是运营消息。${capText(cap)}。vivo 只在北京时间 ${from} 至 ${to} 接受运营消息。如果是系统消息，请在 vivo.category 或凭据中指定其分类。`,
  vivoNoClass: '没有分类的系统消息可能按运营消息处理：请在 vivo.category 中指定分类。',

  flymePublic: (cap) =>
    `这是公信消息。${capText(cap)}。如果是私信消息，请把 flyme.notice_msg_type 设为 1，或在凭据中设置 notice_msg_type。`,

  webPushNoPage:
    '消息没有指定要打开的页面，因此 Safari 只在页面的 service worker 运行时显示通知。请设置 webpush.navigate，或在凭据中设置 navigate。',
  webPushLowUrgency: (urgency) =>
    chinese`电量低的设备会延迟收到 urgency 为${urgency}的通知。发送紧急通知时请不要设置 webpush.urgency。`,
};
