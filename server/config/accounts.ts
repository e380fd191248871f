// Who can sign in at the first start.
import { optional, textOf } from './valueParsers.ts';
import { variable } from './variable.ts';

export const accountVariables = {
  adminPassword: variable({
    name: 'ADMIN_PASSWORD',
    preset: '',
    parser: optional(textOf('at least 8 characters', /^.{8,256}$/su)),
    about:
      'Password of the user admin, created at the first start. Common passwords are refused. Unset: a random one, printed once.',
    secret: true,
  }),
};
