import type { Channel } from '../channel.ts';
import { chinese } from '../language/chinese.ts';
import type { TraceTexts } from './texts-en.ts';

/** The names of the channels in Chinese texts. The console uses the same names. */
export const channelNamesZh: Readonly<Record<Channel, string>> = {
  nativepush: 'Carillon 通道',
  apns: 'APNs',
  huawei: '华为',
  xiaomi: '小米',
  flyme: '魅族',
  vivo: 'vivo',
  oppo: 'OPPO',
  fcm: 'FCM',
  honor: '荣耀',
  harmony: 'HarmonyOS',
  webpush: 'Web Push',
};

/** Chinese sentences of traces. Names that end with `Clause` are parts of sentences. */
export const traceTextsZh: TraceTexts = {
  channelName: (channel) => (channel === 'none' ? '无可用通道' : channelNamesZh[channel]),
  joinSentences: (sentences) => sentences.join(''),
  joinClauses: (clauses) => clauses.join('，且'),

  acknowledged: '已送达：设备在 Carillon 通道上确认收到了通知。',
  acknowledgedThrough: (name) => chinese`已通过${name}送达：应用或厂商报告设备已收到通知。`,

  acceptedWithoutReceipts: (name, at) =>
    chinese`${name}${acceptedAt(at)}通知，但不提供送达回执。应用也没有通过 /device/receipt 上报回执。`,
  acceptedBeforeReceipt: (name, at) => chinese`${name}${acceptedAt(at)}通知，但尚未报告送达。`,
  checkSettings: '如果用户没有看到通知，请检查设备上该应用的通知设置。',
  notificationsDenied: (at) => chinese`应用于${at}报告：手机不允许它显示通知。请用户在手机的设置中允许通知。`,
  missingVendorTokens: (at, vendors) => chinese`应用于${at}报告没有获得厂商 token：${vendors.join('、')}。`,
  vendorError: (name, error) => `${name}（${error}）`,
  lastSeen: (day) => chinese`设备最近一次连接或登录是在${day}。`,
  neverAcknowledged: '通知已写入设备的连接，但设备一直没有确认。',

  cancelling: '任务已取消，正在停止剩余的投递。',
  loggedOut: (day) => chinese`设备已于${day}退出登录，因此不会收到这条通知。`,
  loggedInAgain: (at) => chinese`设备在投递之前已退出登录，用户于${at}再次登录。设备只会收到这次登录之后发送的通知。`,
  beingSent: (name) => chinese`正在通过${name}发送通知。`,
  aboutToBeSent: (name) => chinese`即将通过${name}发送通知。`,
  rejectedSince: (name, since, reason) => chinese`${name}自${since}起拒绝应用的凭据（${translateDetail(reason)}）。`,
  unavailableSince: (name, since, reason) => chinese`${name}自${since}起不可用（${translateDetail(reason)}）。`,
  channelPaused: (expiresAt) => chinese`通道已暂停，探测成功后恢复。通知将于${expiresAt}过期。`,
  checkCredentials: '请检查应用在该厂商的凭据，并通过 /admin/certificate/save 保存有效的凭据。',
  waitsForAcknowledgement: (until) => chinese`Carillon 等待设备确认，直到${until}。`,
  notAcceptedYet: (name) => chinese`${name}尚未接受通知。`,
  retries: (at, expiresAt) => chinese`Carillon 将于${at}重试。通知将于${expiresAt}过期。`,

  displacedWhileWaiting: '通知曾在设备的收件箱中等待，但被更新的通知挤出。',
  aboutToEnterInbox: '通知即将存入设备的收件箱。',
  waitsInInbox: (until, reasons) => chinese`通知在设备的收件箱中保留至${until}，因为${reasons}。`,
  notAcknowledgedYet: '通知已写入设备的连接，但设备尚未确认。',
  receivesWhenConnected: '设备连接后会收到通知。',

  cancelledBefore: '任务在送达此设备之前已取消。',
  expiredInInboxUnseen: '通知在收件箱中过期之前，设备没有连接。',
  expiredBeforeAccepted: (at, name) => chinese`通知已于${at}过期，此前${name}没有接受通知。`,
  expiredBeforeSent: (at, name) => chinese`通知已于${at}过期，此前未能通过${name}发送。`,
  displacedUnseen: '设备连接之前，更新的通知把这条通知挤出了收件箱。',
  noChannel: (reason) => chinese`没有通道可以送达此设备：${reason}。`,
  noOtherChannel: (clause) => chinese`${clause}，且没有其他可用的通道。`,
  noOtherChannelBecause: (clause, reason) => chinese`${clause}，且没有其他可用的通道：${reason}。`,
  rebind: '请在设备上打开应用，使其通过 `/device/bind` 注册新的厂商 token。',

  tokenInvalidClause: (name, detail) => chinese`${name}报告厂商 token 无效${inParentheses(detail)}`,
  rejectedClause: (name, detail) => chinese`${name}拒绝了通知${inParentheses(detail)}`,
  quotaClause: (name) => chinese`${name}的每日配额已用完`,
  unboundClause: (name) => chinese`设备不再有${name}的厂商 token`,
  notAcceptedClause: (name) => chinese`${name}没有接受通知`,
  ackTimeoutClause: (detail) => chinese`设备没有在${translateDetail(detail ?? '')}内确认通知`,
  notConnectedClause: '设备没有连接',

  events: {
    accepted: (name, detail) =>
      detail === null ? chinese`${name}已接受通知。` : chinese`${name}已接受通知，消息 ID 为${detail}。`,
    'token-dead': (name, detail) => chinese`${name}报告厂商 token 无效${afterColon(detail)}。`,
    refused: (name, detail) => chinese`${name}拒绝了通知${afterColon(detail)}。`,
    'locked-out': (name, detail) => chinese`${name}拒绝了应用的凭据${afterColon(detail)}。`,
    'quota-spent': (name, detail) => chinese`${name}的每日配额已用完${afterColon(detail)}。`,
    throttled: (name, detail) => chinese`${name}对请求限流${afterColon(detail)}。`,
    unreachable: (name, detail) => chinese`${name}没有返回明确的响应${afterColon(detail)}。`,
    interrupted: (name) =>
      chinese`worker 在记录${name}的响应之前停止，因此通知重新发送了一次。设备即使收到两次也只显示一次。`,
    unbound: (name) => chinese`设备不再有${name}的厂商 token。`,
    written: () => '通知已写入设备的连接。',
    queued: () => '设备有过多未确认的通知。有空位后会立即写入这条通知。',
    'no-answer': () => '网关没有报告是否已将通知写入设备的连接。',
    silent: (_, detail) => chinese`设备没有在${translateDetail(detail ?? '')}内确认通知。`,
    'no-session': () => '设备没有连接。',
    'in-inbox': () => '通知已存入设备的收件箱。',
    expired: (name) => chinese`${name}接受通知之前，通知已过期。`,
    displaced: () => '更新的通知把这条通知挤出了收件箱。',
    'logged-out': () => '设备已退出登录。',
    cancelled: () => '任务已取消。',
  },
  expiredInInbox: '通知在收件箱中过期。',
  newerEvent: (code, detail) => chinese`更新版本的 Carillon 记录了“${code}”${afterColon(detail)}。`,

  heldUntil: (time) => chinese`任务将等到${time}才发送。`,
  cancelledBeforeExpansion: '任务在确定受众设备之前已取消。',
  notExpanded: '任务已接受，但尚未确定受众设备。请稍后重试。',
  noUser: (day) => chinese`设备已于${day}退出登录。没有用户登录的设备不会收到通知。`,
  neverLoggedIn: '用户从未在此应用的任何设备上登录。请确认应用在用户同意后启动 Carillon，并使用此用户 ID 登录。',
  notLoggedIn: '用户目前没有在此应用的任何设备上登录。请用户打开应用并登录。',
  loggedInAfter: (loggedInAt, dueAt) => chinese`设备的用户于${loggedInAt}登录，晚于任务的发送时间${dueAt}。`,
  matchesOnlyNow: '设备现在属于受众，但任务发送时不属于。',
  otherTags: '任务发送给标签，而设备没有其中任何标签。',
  otherAliases: '任务发送给别名，而设备的别名不在其中。',
  otherUsers: '任务发送给用户，而设备的用户不在其中。',
  otherPushTokens: '任务发送给 push token，而设备的 push token 不在其中。',
  limitedToGroup: (groupId) => chinese`任务仅限群组${groupId}的成员。`,

  onlyVendorsClause: '任务只使用厂商通道',
  notSeenClause: (days) => chinese`设备已有${days}天没有连接或登录`,
  onlyCarillonClause: '任务只使用 Carillon 通道',
  noVendorTokenClause: '没有注册厂商 token',
  noCredentialsClause: '应用没有与设备的厂商 token 匹配的凭据',
  noVendorTriedClause: '没有尝试过厂商通道',
  unsuitableVendorsClause: '设备的厂商不在 ospush_sequence 中，或不支持此消息类型',
};

function acceptedAt(time: string | null): string {
  return time === null ? '已接受' : chinese`于${time}接受了`;
}
function inParentheses(detail: string | null): string {
  return detail ? `（${translateDetail(detail)}）` : '';
}
function afterColon(detail: string | null): string {
  return detail === null ? '' : `：${translateDetail(detail)}`;
}

/** Reasons that Carillon records itself. Reasons of vendors are not translated, so that their manuals can be searched. */
const ownReasons: Readonly<Record<string, string>> = {
  'no response in time': '未及时响应',
  'the push service did not respond recently': '推送服务近期没有响应',
  'Too many requests are waiting for this vendor.': '等待此厂商的请求过多',
  'no provider token in time': '未能及时获取厂商访问令牌',
  'another worker is still obtaining the provider token': '另一个 worker 仍在获取厂商访问令牌',
  'the vendor could not be called': '无法调用厂商',
  'the stored credentials cannot be used': '保存的凭据无法使用',
  'no credentials for this environment': '此环境没有凭据',
  'the token is not from mainland China': '此 token 不属于中国大陆',
};

function translateDetail(detail: string): string {
  if (Object.hasOwn(ownReasons, detail)) return ownReasons[detail] as string;
  return detail
    .replace(/^retry after (\d+) s$/, '$1 秒后重试')
    .replace(/^until (?=\d{4}-)/, '直到 ')
    .replace(/^(\d+) s$/, '$1 秒');
}
