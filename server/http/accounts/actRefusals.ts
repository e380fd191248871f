// How refusals of the accounts' use cases are answered.
import type { AccountRefusal } from '../../auth/acts/accountActs.ts';
import { commonPassword, conflictWith, type Refusal, Refused, refusedFields } from '../kernel/envelope.ts';
import { BEYOND_OWN, LAST_ADMINISTRATOR, OWN_ACCOUNT } from './refusals.ts';

const OWN_ROLE = { status: 403, code: 'own-role', message: "You can't edit your own role." } as const;
const BUILT_IN = {
  status: 409,
  code: 'built-in',
  message: "Built-in roles can't be changed. Copy the role and edit the copy.",
} as const;
const IN_USE = {
  status: 409,
  code: 'role-in-use',
  message: 'Members have this role. Give them another role first.',
} as const;
const LEFT_OVER = {
  status: 403,
  code: 'device-groups-left-over',
  message: "Some of its device groups aren't yours. Add them to another member group first.",
} as const;

type OwnRefusal = 'built-in' | 'own-role' | 'in-use' | 'left-over' | 'own-account' | 'common-password';
type ActRefusal = AccountRefusal<unknown, OwnRefusal>;

const ANSWERS: Readonly<Record<Exclude<ActRefusal['kind'], 'fields' | 'taken' | 'conflict' | 'gone'>, Refusal>> = {
  'not-signed-in': Refused.notSignedIn,
  forbidden: Refused.forbidden,
  'beyond-own': BEYOND_OWN,
  'last-administrator': LAST_ADMINISTRATOR,
  'built-in': BUILT_IN,
  'own-role': OWN_ROLE,
  'in-use': IN_USE,
  'left-over': LEFT_OVER,
  'own-account': OWN_ACCOUNT,
  'common-password': commonPassword('password'),
};

/** `gone`: for a record that isn't there. `current`: of a conflict, the record as callers see it. */
export function refusalOfAct(reason: ActRefusal, gone: Refusal, current?: unknown): Refusal {
  switch (reason.kind) {
    case 'fields':
      return refusedFields(reason.fields);
    case 'taken':
      return { ...refusedFields({ [reason.field]: 'taken' }), status: 409 };
    case 'conflict':
      return conflictWith(current);
    case 'gone':
      return gone;
    default:
      return ANSWERS[reason.kind];
  }
}
