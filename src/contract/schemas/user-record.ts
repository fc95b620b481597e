import { Type } from 'typebox';
import { NullableText, timeField, userIdField } from './fields.ts';
import { loginNameText, passwordField } from './login.ts';

/** Schemas of a user and of login names. */

export const loginNames = {
  name: Type.Optional(
    loginNameText(
      'User name: contains a letter, and no `@`, invisible characters, or leading or trailing spaces, so that it is never mistaken for a number or email.',
    ),
  ),
  mobile: Type.Optional(
    loginNameText("Mobile number, with `+` and country code or in the national format of the app's `country`."),
  ),
  email: Type.Optional(loginNameText('Email address.')),
};

/** A new password. Existing passwords may be shorter. */
export const newPasswordField = Type.String({
  ...passwordField,
  minLength: 8,
  description: 'Password, 8 to 256 characters. Spaces count.',
});

export const userRecord = Type.Object(
  {
    user_id: userIdField,
    name: NullableText('User name.'),
    mobile: NullableText('Mobile number, as `+` and digits.'),
    email: NullableText('Email address.'),
    has_password: Type.Boolean({ description: 'Whether the user can log in with a password.' }),
    disabled: Type.Boolean({ description: 'Whether the user is disabled.' }),
    created_at: timeField('Creation time'),
  },
  { description: 'A user.' },
);

export const exampleUser = {
  user_id: 42,
  name: 'grace',
  mobile: '+8613912345678',
  email: 'grace@example.com',
  has_password: true,
  disabled: false,
  created_at: 1794700800000,
} as const;
