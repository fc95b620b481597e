// Made from src/contract by `npm run docs`; a test holds it equal. Change the contract, not this file.

import type { OperationResult } from '../operation.ts';
import type {
  AdminAppCreateRequest,
  AdminAppCreateResponse,
  AdminAppDisableRequest,
  AdminAppEnableRequest,
  AdminAppUpdateRequest,
  AdminAuditListRequest,
  AdminAuditListResponse,
  AdminCertificateCallbackRequest,
  AdminCertificateCallbackResponse,
  AdminCertificateCheckRequest,
  AdminCertificateCheckResponse,
  AdminCertificateDeleteRequest,
  AdminCertificateSaveRequest,
  AdminDeviceDeleteRequest,
  AdminDeviceFindRequest,
  AdminDeviceFindResponse,
  AdminGroupAddRequest,
  AdminGroupCreateRequest,
  AdminGroupCreateResponse,
  AdminGroupDeleteRequest,
  AdminGroupListRequest,
  AdminGroupListResponse,
  AdminGroupMembersRequest,
  AdminGroupMembersResponse,
  AdminGroupRemoveRequest,
  AdminLedgerVerifyRequest,
  AdminLedgerVerifyResponse,
  AdminToken,
  AdminTokenCreateRequest,
  AdminTokenCreateResponse,
  AdminTokenRevokeRequest,
  AdminUserCreateRequest,
  AdminUserCreateResponse,
  AdminUserDeleteRequest,
  AdminUserDisableRequest,
  AdminUserEnableRequest,
  AdminUserFindRequest,
  AdminUserKickRequest,
  AdminUserListRequest,
  AdminUserListResponse,
  AdminUserPasswordRequest,
  AdminUserTokenRequest,
  AdminUserUpdateRequest,
  App,
  Certificate,
  Channel,
  Device,
  DeviceAliasRequest,
  DeviceAliasResponse,
  DeviceBadgeRequest,
  DeviceBadgeResponse,
  DeviceBindRequest,
  DeviceReceiptRequest,
  DeviceReceiptResponse,
  DeviceTagRequest,
  DeviceTagResponse,
  DeviceUnbindRequest,
  EmptyObject,
  OperationPath,
  PushCertificate,
  PushCertificateRequest,
  PushNotifyRequest,
  PushNotifyResponse,
  PushStatistics,
  PushTaskCancelRequest,
  PushTaskCancelResponse,
  PushTaskDetailRequest,
  PushTaskListRequest,
  PushTaskListResponse,
  PushTaskTraceRequest,
  PushTaskTraceResponse,
  PushValidateRequest,
  PushValidateResponse,
  Requests,
  Responses,
  TokenIdRequest,
  TokenLoginRequest,
  TokenRecord,
  TokenUserRequest,
  User,
  UserRegisterRequest,
} from './types.ts';

/** Every operation as a method that answers its data, grouped as the paths are. */
export abstract class Calls {
  abstract call<Path extends OperationPath>(
    path: Path,
    request: Requests[Path],
  ): Promise<OperationResult<Responses[Path]>>;

  async #ask<Path extends OperationPath>(path: Path, request: Requests[Path]): Promise<Responses[Path]> {
    return (await this.call(path, request)).data;
  }

  readonly token = {
    /**
     * Token by user ID and password. Gives an access token to an ordinary user. The header `access-token` is
     * not needed, and `user_id` and `group_id` are ignored. An unknown user and a wrong password get the same
     * answer.
     */
    id: (request: TokenIdRequest): Promise<TokenRecord> => this.#ask('/token/id', request),
    /**
     * Token by login name and password. Gives an access token to an ordinary user. The header `access-token`
     * is not needed, and `user_id` and `group_id` are ignored. An unknown user and a wrong password get the
     * same answer. A login name with an `@` is an email, one without a letter a mobile number, anything else a
     * user name. Numbers and addresses are found however they are written.
     */
    login: (request: TokenLoginRequest): Promise<TokenRecord> => this.#ask('/token/login', request),
    /**
     * Token by user name and password. Gives an access token to an ordinary user. The header `access-token` is
     * not needed, and `user_id` and `group_id` are ignored. An unknown user and a wrong password get the same
     * answer.
     */
    user: (request: TokenUserRequest): Promise<TokenRecord> => this.#ask('/token/user', request),
    /**
     * Log out. Ends this access token. If it was issued with a device, the device is logged out: its session
     * ends, its push token, vendor tokens, tags, alias and waiting messages are gone, and nothing is delivered
     * to it until somebody logs in on it again.
     */
    logout: (): Promise<EmptyObject> => this.#ask('/token/logout', {}),
  };

  readonly user = {
    /**
     * Register oneself. Makes a person and logs them in, in apps that allow it (`registration`); elsewhere it
     * is refused. At least one of `name`, `mobile` and `email` must be given. Neither number nor address is
     * verified here.
     */
    register: (request: UserRegisterRequest): Promise<TokenRecord> => this.#ask('/user/register', request),
  };

  readonly push = {
    /**
     * Get push certificate. The app's credentials at a push provider. An admin token gets them whole; a user
     * token gets the same fields with the server's secrets empty. An admin token needs the scope `secrets`.
     */
    certificate: (request: PushCertificateRequest): Promise<PushCertificate> => this.#ask('/push/certificate', request),
    /**
     * Send push notification. Accepts a notification for an audience and answers a task ID. Once answered, it
     * is committed and will be delivered whatever fails. `audience` and `message` must not be blank; an
     * audience that matches nobody is accepted all the same. An admin token may reach everyone, with
     * `group_id` the members of that group; a user token only its own user, unless the app allows more. An
     * admin token needs the scope `push`.
     */
    notify: (request: PushNotifyRequest): Promise<PushNotifyResponse> => this.#ask('/push/notify', request),
    task: {
      /**
       * Query push statistics. The 27 counters of each task, exact at the moment of the question. Of tasks that
       * are not kept any more (`CARILLON_RETENTION_DAYS`) they are told as they were at the end (for
       * `CARILLON_COUNTS_DAYS`). Unknown task IDs and those that this caller may not see are left out; the order
       * of the request is kept, and duplicates are answered once. An admin token needs the scope `push`.
       */
      detail: (request: PushTaskDetailRequest): Promise<readonly PushStatistics[]> =>
        this.#ask('/push/task/detail', request),
      /**
       * Push tasks, the latest first. The tasks that this caller may see, page by page: an admin the app's, a
       * group's admin the group's, a user those they authored. Only tasks that are still kept are listed
       * (`CARILLON_RETENTION_DAYS`); counters, also of older ones, are told by `/push/task/detail`. An admin
       * token needs the scope `push`.
       */
      list: (request: PushTaskListRequest = {}): Promise<PushTaskListResponse> => this.#ask('/push/task/list', request),
      /**
       * Why a notification did not arrive, or that it did. For one task and one device, or each device of a
       * user: every attempt in order, in the channel's own words, and a plain sentence. Tasks are seen as in
       * `/push/task/detail`; an admin sees every device, a group's admin those of members, a user their own.
       * Give exactly one of `push_token` and `user_id`. An admin token needs the scope `push`.
       */
      trace: (request: PushTaskTraceRequest): Promise<PushTaskTraceResponse> => this.#ask('/push/task/trace', request),
      /**
       * Stop a push task. Stops what is not sent yet: devices that were not tried, that are to be tried again,
       * or that have it waiting. What is under way at this moment may still arrive, and what has arrived stays.
       * Said twice it changes nothing; a task that is finished stays as it is. Answered when it is committed;
       * every worker heeds it from its next step on. An admin token needs the scope `push`.
       */
      cancel: (request: PushTaskCancelRequest): Promise<PushTaskCancelResponse> =>
        this.#ask('/push/task/cancel', request),
    },
    /**
     * What a notification would reach. Takes the request of `/push/notify`, checks it in the same way, and
     * tells what it would reach at this moment, what would be cut, and what vendors would demote or cap,
     * without sending anything. `request_id` is not used up. An admin token needs the scope `push`.
     */
    validate: (request: PushValidateRequest): Promise<PushValidateResponse> => this.#ask('/push/validate', request),
  };

  readonly device = {
    /**
     * Bind a vendor's token to a device. Tells the token that a vendor gave to a device. A vendor token
     * belongs to the device that bound it last, and a device has one live token per vendor. An admin token
     * needs the scope `manage`.
     */
    bind: (request: DeviceBindRequest): Promise<EmptyObject> => this.#ask('/device/bind', request),
    /**
     * End a device's token at a vendor. The device is not reached by this vendor any more. A device that has
     * no token there stays as it is, and the answer is the same. An admin token needs the scope `manage`.
     */
    unbind: (request: DeviceUnbindRequest): Promise<EmptyObject> => this.#ask('/device/unbind', request),
    /**
     * A user's devices. The devices on which this user is logged in, the latest first, at most 20. An admin
     * token names the user by the header `user_id`. An admin token needs the scope `manage`.
     */
    list: (): Promise<readonly Device[]> => this.#ask('/device/list', {}),
    /**
     * Label a device. Changes the tags of a device: first `clear`, then `remove`, then `add`. A device has at
     * most 100 tags of 64 bytes; more are refused and nothing is changed. Without any of the three it only
     * tells the tags. An admin token needs the scope `manage`.
     */
    tag: (request: DeviceTagRequest = {}): Promise<DeviceTagResponse> => this.#ask('/device/tag', request),
    /**
     * Name a device. Sets the alias of a device; blank takes it away. Devices of one user may share an alias;
     * an alias that a device of another user has is refused. An admin token needs the scope `manage`.
     */
    alias: (request: DeviceAliasRequest = {}): Promise<DeviceAliasResponse> => this.#ask('/device/alias', request),
    /**
     * Set the number on the app's icon. Tells what the device shows now, so that the next notification counts
     * on from there. Usually 0, when the app was opened. An admin token needs the scope `manage`.
     */
    badge: (request: DeviceBadgeRequest = {}): Promise<DeviceBadgeResponse> => this.#ask('/device/badge', request),
    /**
     * Tell that notifications arrived. For vendors that tell nobody: the app says which notifications it was
     * shown, by the `reference` that came with each. Said twice it counts once. References that are not for
     * this device, and those that it never was sent, are left out. An admin token needs the scope `manage`.
     */
    receipt: (request: DeviceReceiptRequest): Promise<DeviceReceiptResponse> => this.#ask('/device/receipt', request),
  };

  readonly admin = {
    app: {
      /** This app. The app of the token, with its settings. Takes an admin token with the scope `manage`. */
      get: (): Promise<App> => this.#ask('/admin/app/get', {}),
      /**
       * Change this app's settings. Sets what is given and leaves the rest as it is. Within three seconds every
       * process knows. Takes an admin token with the scope `manage`.
       */
      update: (request: AdminAppUpdateRequest = {}): Promise<App> => this.#ask('/admin/app/update', request),
      /**
       * Make an app. Makes an app with a key pair of its own, and an admin token for it that is shown this once.
       * For operators of the whole installation: the scope `platform`, which `*` does not include. Takes an
       * admin token with the scope `platform`.
       */
      create: (request: AdminAppCreateRequest): Promise<AdminAppCreateResponse> =>
        this.#ask('/admin/app/create', request),
      /**
       * Every app of the installation. For operators of the whole installation (scope `platform`), in the order
       * of their IDs, at most 1,000. Takes an admin token with the scope `platform`.
       */
      list: (): Promise<readonly App[]> => this.#ask('/admin/app/list', {}),
      /**
       * Shut an app. Every call for this app is refused and every session of its devices closed within five
       * seconds. Its open tasks are cancelled, those that are held for later too, as `/push/task/cancel` would;
       * with thousands of them it takes some seconds. Its data stay. Takes an admin token with the scope
       * `platform`.
       */
      disable: (request: AdminAppDisableRequest): Promise<EmptyObject> => this.#ask('/admin/app/disable', request),
      /**
       * Open an app again. Calls are answered and devices may connect again. What was cancelled when it was shut
       * stays cancelled. Takes an admin token with the scope `platform`.
       */
      enable: (request: AdminAppEnableRequest): Promise<EmptyObject> => this.#ask('/admin/app/enable', request),
    },
    token: {
      /**
       * Make an admin token. Makes an admin token of this app, with no more scopes than the token that makes it
       * and no longer life. The token is shown this once; only its hash is kept. Takes an admin token with the
       * scope `manage`.
       */
      create: (request: AdminTokenCreateRequest): Promise<AdminTokenCreateResponse> =>
        this.#ask('/admin/token/create', request),
      /**
       * This app's admin tokens. Those that are not revoked, in the order in which they were made, at most
       * 1,000. The tokens themselves are not known any more. Takes an admin token with the scope `manage`.
       */
      list: (): Promise<readonly AdminToken[]> => this.#ask('/admin/token/list', {}),
      /**
       * Revoke an admin token. The token is refused within five seconds. A token may revoke itself. Takes an
       * admin token with the scope `manage`.
       */
      revoke: (request: AdminTokenRevokeRequest): Promise<EmptyObject> => this.#ask('/admin/token/revoke', request),
    },
    user: {
      /**
       * Make a person. Makes a person, under an ID of your own or one of ours. An app with accounts of its own
       * gives neither login name nor password and gets tokens by `/admin/user/token`. The ID of a person who was
       * deleted is not given again. Takes an admin token with the scope `manage`.
       */
      create: (request: AdminUserCreateRequest = {}): Promise<AdminUserCreateResponse> =>
        this.#ask('/admin/user/create', request),
      /**
       * Find a person. A person, by exactly one of the fields. Numbers and addresses are found however they are
       * written. Takes an admin token with the scope `manage`.
       */
      find: (request: AdminUserFindRequest = {}): Promise<User> => this.#ask('/admin/user/find', request),
      /**
       * The people of the app. People in the order of their IDs, page by page. Takes an admin token with the
       * scope `manage`.
       */
      list: (request: AdminUserListRequest = {}): Promise<AdminUserListResponse> =>
        this.#ask('/admin/user/list', request),
      /**
       * Change a person's login names. Sets the login names that are given and leaves the others as they are.
       * Whoever is logged in stays so. A name is taken away by `remove`. Takes an admin token with the scope
       * `manage`.
       */
      update: (request: AdminUserUpdateRequest): Promise<User> => this.#ask('/admin/user/update', request),
      /**
       * Set a person's password. Sets the password and logs the person out everywhere, as `/admin/user/kick`
       * does. A blank password takes it away: this person then logs in by tokens of `/admin/user/token` only.
       * Takes an admin token with the scope `manage`.
       */
      password: (request: AdminUserPasswordRequest): Promise<EmptyObject> => this.#ask('/admin/user/password', request),
      /**
       * Log a person out everywhere. Ends every login of this person: tokens are refused and sessions closed
       * within five seconds, and nothing is delivered to the devices until they log in there again. Takes an
       * admin token with the scope `manage`.
       */
      kick: (request: AdminUserKickRequest): Promise<EmptyObject> => this.#ask('/admin/user/kick', request),
      /**
       * Shut a person out. This person cannot log in any more, and every login ends: tokens are refused and
       * sessions closed within five seconds, and nothing is delivered to the devices they were logged in on.
       * Takes an admin token with the scope `manage`.
       */
      disable: (request: AdminUserDisableRequest): Promise<EmptyObject> => this.#ask('/admin/user/disable', request),
      /**
       * Let a person in again. This person may log in again. What ended when they were shut out stays ended.
       * Takes an admin token with the scope `manage`.
       */
      enable: (request: AdminUserEnableRequest): Promise<EmptyObject> => this.#ask('/admin/user/enable', request),
      /**
       * Log a person in without a password. For an app that has accounts of its own: its backend knows who
       * somebody is and gets a token for them, the same as a login's. Whoever is shut out gets none. Takes an
       * admin token with the scope `manage`.
       */
      token: (request: AdminUserTokenRequest): Promise<TokenRecord> => this.#ask('/admin/user/token', request),
      /**
       * Delete a person. Erases this person: login names, password, tokens, devices with their vendor tokens,
       * tags, alias and waiting messages, and memberships. Tasks that were accepted keep the bare ID until their
       * days are dropped. The ID is not given again. Repeat the call if it fails half-way. Takes an admin token
       * with the scope `manage`.
       */
      delete: (request: AdminUserDeleteRequest): Promise<EmptyObject> => this.#ask('/admin/user/delete', request),
    },
    group: {
      /**
       * Make a group. Makes a group without members. An admin token with the header `group_id` then reaches its
       * members only. Takes an admin token with the scope `manage`.
       */
      create: (request: AdminGroupCreateRequest): Promise<AdminGroupCreateResponse> =>
        this.#ask('/admin/group/create', request),
      /**
       * The groups of the app. Groups in the order of their IDs, page by page. Takes an admin token with the
       * scope `manage`.
       */
      list: (request: AdminGroupListRequest = {}): Promise<AdminGroupListResponse> =>
        this.#ask('/admin/group/list', request),
      /**
       * Add members to a group. People who are members already stay so. If one of them does not exist, nobody is
       * added. Takes an admin token with the scope `manage`.
       */
      add: (request: AdminGroupAddRequest): Promise<EmptyObject> => this.#ask('/admin/group/add', request),
      /**
       * The members of a group. User IDs in their order, page by page. Takes an admin token with the scope
       * `manage`.
       */
      members: (request: AdminGroupMembersRequest): Promise<AdminGroupMembersResponse> =>
        this.#ask('/admin/group/members', request),
      /**
       * Take members out of a group. People who are no members are left out. Takes an admin token with the scope
       * `manage`.
       */
      remove: (request: AdminGroupRemoveRequest): Promise<EmptyObject> => this.#ask('/admin/group/remove', request),
      /**
       * Delete a group. Deletes a group; the people in it stay. Tasks of the group that are still held reach
       * nobody, and the ID is not given again. Takes an admin token with the scope `manage`.
       */
      delete: (request: AdminGroupDeleteRequest): Promise<EmptyObject> => this.#ask('/admin/group/delete', request),
    },
    certificate: {
      /**
       * Save the credentials at a provider. Checks credentials as their provider wants them, and puts them in
       * the place of those for the same provider and environment. What each field holds is told in
       * `docs/certificates.md`; APNs takes a p8 key or a p12 as the Keychain exports it. Takes an admin token
       * with the scope `manage`.
       */
      save: (request: AdminCertificateSaveRequest): Promise<Certificate> =>
        this.#ask('/admin/certificate/save', request),
      /**
       * The app's credentials at providers. All of them, without what is secret, those that expire soonest
       * first. Takes an admin token with the scope `manage`.
       */
      list: (): Promise<readonly Certificate[]> => this.#ask('/admin/certificate/list', {}),
      /**
       * Ask the provider whether it takes the credentials. Signs in at the provider with the saved credentials,
       * as a notification would, and reaches nobody. Takes as long as the provider needs to answer, ten seconds
       * at most. Takes an admin token with the scope `manage`.
       */
      check: (request: AdminCertificateCheckRequest): Promise<AdminCertificateCheckResponse> =>
        this.#ask('/admin/certificate/check', request),
      /**
       * Where a provider tells what has arrived. Answers the path to enter as callback address at the provider,
       * after the public address of this API. It is made at the first call and stays the same until `renew`.
       * Providers without callbacks (APNs, FCM) are refused: their apps tell by `/device/receipt`. Takes an
       * admin token with the scope `secrets`.
       */
      callback: (request: AdminCertificateCallbackRequest): Promise<AdminCertificateCallbackResponse> =>
        this.#ask('/admin/certificate/callback', request),
      /**
       * Delete the credentials at a provider. Nothing is sent by this provider and environment any more; within
       * three seconds every worker knows. Takes an admin token with the scope `manage`.
       */
      delete: (request: AdminCertificateDeleteRequest): Promise<EmptyObject> =>
        this.#ask('/admin/certificate/delete', request),
    },
    channel: {
      /**
       * How it stands with the providers. For each of the app's certificates: whether the provider takes
       * notifications, which allowance is used up and until when, and how quick it may be. Takes an admin token
       * with the scope `manage`.
       */
      list: (): Promise<readonly Channel[]> => this.#ask('/admin/channel/list', {}),
    },
    device: {
      /**
       * Find devices. Devices by exactly one of `push_token`, `device_guid`, `user_id`, `alias` and `tag`, page
       * by page. Only by `device_guid` is a device found on which nobody is logged in. Takes an admin token with
       * the scope `manage`.
       */
      find: (request: AdminDeviceFindRequest = {}): Promise<AdminDeviceFindResponse> =>
        this.#ask('/admin/device/find', request),
      /**
       * Delete a device. Erases a device, named by exactly one of `push_token` and `device_guid`: its tokens are
       * refused and its session closed within five seconds, and nothing is delivered to it. Whoever logs in on
       * it again gets a new one. Takes an admin token with the scope `manage`.
       */
      delete: (request: AdminDeviceDeleteRequest = {}): Promise<EmptyObject> =>
        this.#ask('/admin/device/delete', request),
    },
    audit: {
      /**
       * Who did what. Every read of a secret and every change by an admin token of this app, the latest first,
       * page by page. Kept for 400 days. Takes an admin token with the scope `manage`.
       */
      list: (request: AdminAuditListRequest = {}): Promise<AdminAuditListResponse> =>
        this.#ask('/admin/audit/list', request),
    },
    ledger: {
      /**
       * Hold the ledger to its laws. Recomputes what must hold of this app's tasks and counters, a part of them
       * with each call: what was received was sent, a device has one place per task and channel, a finished task
       * has nothing open, the counters are the sums of the single bits, and more. Changes nothing. Go on from
       * `next` until it is null. Takes an admin token with the scope `manage`.
       */
      verify: (request: AdminLedgerVerifyRequest = {}): Promise<AdminLedgerVerifyResponse> =>
        this.#ask('/admin/ledger/verify', request),
    },
  };
}
