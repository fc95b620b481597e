import type { setupStepsEn } from './setup-steps-en.ts';

/** Chinese steps to get the credentials of each vendor, one per line. */
export const setupStepsZh: typeof setupStepsEn = {
  apns: `以管理员或账号持有人身份登录 developer.apple.com/account。
打开 Certificates, Identifiers & Profiles > Identifiers，登记 Bundle ID，并启用 Push Notifications。
打开 Keys，点击 +，选择 Apple Push Notifications service (APNs) 和 Sandbox & Production。
点击 Register 和 Download。AuthKey_….p8 只能下载一次。
复制密钥旁的 Key ID，并在 Membership details 中复制 Team ID。`,
  fcm: `在 console.firebase.google.com 打开应用所属的项目。
打开“项目设置 → Cloud Messaging”，确认 Firebase Cloud Messaging API (V1) 已启用。
打开“项目设置 → 服务账号”，点击“生成新的私钥”。文件只能下载一次。
把文件拖到表单中。google-services.json 是另一个文件，供应用构建使用。`,
  harmony: `在 developer.huawei.com 注册并完成实名认证。
登录 AppGallery Connect，打开“我的项目”，添加平台为 HarmonyOS 的应用。
打开“增长 → 推送服务”，点击“立即开通”。
在 developer.huawei.com 的 API Console 中创建“服务账号密钥”凭据，并下载密钥文件。
在“推送服务 → 配置”中申请自分类权益，否则所有消息都归为资讯营销类。
如果要撤回通知，请在“项目设置 → 常规”中复制 Client ID。`,
  honor: `在 developer.honor.com 注册企业账号并完成认证。
打开“生态服务 → 应用管理”，新建应用并填写包名。
打开“生态服务 → 推送服务”，填写应用签名证书的 SHA256 指纹并申请。
在“推送服务”列表中找到该应用，点击“查看”，复制 App ID、Client ID 和 Client Secret。
不要复制 App Secret，它只供手机上的应用使用。`,
  huawei: `在 developer.huawei.com 注册并完成实名认证。
登录 AppGallery Connect，打开“我的项目”，添加平台为 Android 的应用。
打开“项目设置 → 常规”，复制 App ID 和 App secret（也叫 client secret）。
打开“增长 → 推送服务”，点击“立即开通”。
在“推送服务 → 配置”中申请自分类权益，否则所有消息都归为资讯营销类。
只有多个应用共用一个发送方时，才需要填写项目 ID。`,
  flyme: `在 open.flyme.cn 注册开发者账号并完成认证。
登录 push.meizu.com，点击“新建应用”，填写应用的包名。
打开应用，在“配置管理”的应用信息中复制 AppId、AppKey 和 AppSecret。
要发送聊天、订单等私信，请在同一平台申请私信权限。`,
  oppo: `在 open.oppomobile.com 注册企业开发者账号，并在 OPPO 软件商店上架应用。
打开“推送服务”，为应用申请开通。
打开“配置管理 → 应用配置”，复制 AppKey 和 MasterSecret，不要复制 AppSecret。
在应用详情中复制 AppID。
打开“通道管理”，登记应用创建的通知渠道。`,
  vivo: `在 dev.vivo.com.cn 注册企业账号，并在 vivo 应用商店上传应用。
进入“推送服务 → 推送申请”，选择该应用并提交申请。审核通过之前，请使用开发环境。
打开“应用信息”，复制 AppID、AppKey 和 AppSecret。
要把聊天作为系统消息发送，请申请相应的消息分类。
要接收回执，请在 vivo 平台填写回执地址，再把平台分配的编号作为 callback_id 保存在这里。`,
  webpush: `选择一个供推送服务运营方使用的联系方式：邮箱地址或网页。
选择用户点击通知后打开的页面，作为 navigate 保存。
如果网站已使用 Web Push，请填写现有的 VAPID 密钥对，否则由 Carillon 生成。
请妥善保存密钥对。一旦丢失，所有用户都必须重新订阅。`,
  xiaomi: `在 dev.mi.com 注册企业开发者账号，创建应用并填写包名。
进入“推送运营平台”，为应用启用推送。
打开“应用信息”，复制 AppID、AppKey 和 AppSecret。
打开“通道管理”，申请 channel，再把编号作为 channel_id 保存在这里。
如果使用私信 channel，请选用模板，并把模板 ID 作为 template_id 保存在这里。`,
};
