import type { AccountTexts } from './account-en.ts';

/** Chinese texts about the account of the operator, and about sending with care. */
export const accountZh: AccountTexts = {
  account: {
    title: '我的账号',
    sessions: '会话',
    sessionsHint: '已登录的浏览器。请结束不认识的会话。',
    browser: '浏览器',
    lastUsed: '最近使用',
    current: '当前浏览器',
    signedIn: '{{address}} · {{time}}登录',
    end: '结束',
    endNamed: '结束来自 {{address}} 的会话',
    notEnded: '会话未结束',
    password: '修改密码',
    passwordHint: '其他会话都会结束。使用单点登录时，请在身份提供方修改。',
    oldPassword: '当前密码',
    newPassword: '新密码',
    change: '修改密码',
    changed: '密码已修改，其他会话已结束。',
    notChanged: '密码未修改',
  },
  undo: {
    undo: '撤销',
    held_one: '{{number}} 秒后开始发送。撤销后不会发送任何内容。',
    held_other: '{{number}} 秒后开始发送。撤销后不会发送任何内容。',
    scheduled: '将于 {{time}} 开始发送。在此之前取消，不会发送任何内容。',
    failed: '任务未取消',
  },
  test: {
    open: '测试…',
    title: '发送测试通知',
    hint: '立即发送，且只发送到一个用户的设备。',
    userId: '用户 ID',
    send: '发送测试',
    sent: '测试通知已发送。',
    follow: '查看投递过程',
    failed: '测试通知未发送',
  },
};
