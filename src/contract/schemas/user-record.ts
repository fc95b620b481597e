import { Type } from 'typebox';
import { NullableText, timeField, userIdField } from './fields.ts';
import { loginNameText, passwordField } from './login.ts';

/** Schemas of a user and of login names. */

export const loginNames = {
  name: Type.Optional(
    loginNameText(
      'User name: has a letter, no `@`, nothing invisible and no spaces at its ends; so it is never taken for a number or email.',
    ),
  ),
  mobile: Type.Optional(
    loginNameText("Mobile number, with `+` and country code or as it is dialled in the app's `country`."),
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
    has_password: Type.Boolean({ description: 'Whether this person can log in with a password.' }),
    disabled: Type.Boolean({ description: 'Whether this person is shut out.' }),
    created_at: timeField('When this person was made'),
  },
  { description: 'A person.' },
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
