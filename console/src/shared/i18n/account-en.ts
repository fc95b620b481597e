/** English texts about the account of the operator, and about sending with care. */
export const accountEn = {
  account: {
    title: 'Your account',
    sessions: 'Sessions',
    sessionsHint: 'Browsers in which you are signed in. End each session that you do not recognize.',
    browser: 'Browser',
    lastUsed: 'Last used',
    current: 'This browser',
    signedIn: '{{address}} · signed in {{time}}',
    end: 'End',
    endNamed: 'End the session from {{address}}',
    notEnded: 'The session was not ended',
    password: 'Change the password',
    passwordHint: 'This ends all other sessions. With single sign-on, change it at your identity provider.',
    oldPassword: 'Current password',
    newPassword: 'New password',
    change: 'Change password',
    changed: 'The password was changed. All other sessions have ended.',
    notChanged: 'The password was not changed',
  },
  undo: {
    undo: 'Undo',
    held_one: 'Sending starts in {{number}} second. Undo stops it completely.',
    held_other: 'Sending starts in {{number}} seconds. Undo stops it completely.',
    scheduled: 'Sending starts at {{time}}. Until then, a cancellation stops it completely.',
    failed: 'The task was not cancelled',
  },
  test: {
    open: 'Test …',
    title: 'Send a test',
    hint: 'Sends this notification immediately, and only to the devices of one user.',
    userId: 'User ID',
    send: 'Send the test',
    sent: 'The test was sent.',
    follow: 'See what happened',
    failed: 'The test was not sent',
  },
};

export type AccountTexts = typeof accountEn;
