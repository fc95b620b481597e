import { Type } from 'typebox';
import { NullableText, timeField, userIdField } from './fields.ts';
import { loginNameText, passwordField } from './login.ts';

/** Schemas of a user and of login names. */

export const loginNames = {
  name: Type.Optional(
    loginNameText(
      'User name. It must contain a letter, and must not contain `@`, invisible characters, or leading or trailing spaces.',
    ),
  ),
  mobile: Type.Optional(
    loginNameText(
      'Mobile number: with `+` and country code, or in the national format of the country in the app setting `country`.',
    ),
  ),
  email: Type.Optional(loginNameText('Email address.')),
};

/** A new password. Existing passwords may be shorter. */
export const newPasswordField = Type.String({
  ...passwordField,
  minLength: 8,
  description:
    'Password of 8 to 256 characters. Spaces are significant. Common passwords, simple patterns, and names of the user or the app are rejected.',
});

export const userRecord = Type.Object(
  {
    user_id: userIdField,
    name: NullableText('User name. Null if not set.'),
    mobile: NullableText('Mobile number, as `+` and digits. Null if not set.'),
    email: NullableText('Email address. Null if not set.'),
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
