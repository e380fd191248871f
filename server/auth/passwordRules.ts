// Which passwords are not taken, however long they are: those that an attacker tries first.
import { dictionary } from '@zxcvbn-ts/language-common';
import { MIN_PASSWORD_LENGTH } from '../../shared/protocol/passwords.ts';
import { userNameKey } from '../store/accounts/users.ts';

export type PasswordFault = 'common-password';

/** In small letters. Shorter ones are refused by their length. */
const COMMON = new Set(dictionary['passwords-common'].filter((password) => password.length >= MIN_PASSWORD_LENGTH));
COMMON.add('fleetglass');

/** A password that is on the list, or is the user name; letters count alike in either case. */
export function passwordFault(password: string, username: string): PasswordFault | undefined {
  const key = userNameKey(password);
  return COMMON.has(key) || key === userNameKey(username) ? 'common-password' : undefined;
}
