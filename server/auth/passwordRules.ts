// Passwords that are refused whatever their length: those that attackers try first. Length is the only formal rule.
import { dictionary } from '@zxcvbn-ts/language-common';
import { MIN_PASSWORD_LENGTH } from '../../shared/protocol/passwords.ts';
import { userNameKey } from '../store/accounts/users.ts';

export type PasswordFault = 'common-password';

/** In lower case. Shorter ones are refused for their length anyway. */
const COMMON = new Set(dictionary['passwords-common'].filter((password) => password.length >= MIN_PASSWORD_LENGTH));
COMMON.add('fleetglass');

/** Refuses a password that is on the list or equals the username, ignoring case. */
export function passwordFault(password: string, username: string): PasswordFault | undefined {
  const key = userNameKey(password);
  return COMMON.has(key) || key === userNameKey(username) ? 'common-password' : undefined;
}
