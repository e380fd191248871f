import type { FastifyRequest } from 'fastify';
import { Permission } from '../../../shared/protocol/permissions.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { ChangeBus } from '../../bus/changeBus.ts';
import type { SeenDevice } from '../../store/netflow/netflowDevices.ts';
import type { Stores } from '../../store/stores.ts';
import { callerOf } from '../kernel/caller.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import type { Refusal } from '../kernel/envelope.ts';

export interface NetflowDeps {
  readonly stores: Pick<Stores, 'deviceTree' | 'netflowDevices' | 'netflowSeries' | 'simPlans' | 'sims'>;
  readonly netflow: NetflowForCalls;
  readonly bus: Pick<ChangeBus, 'recordsChanged'>;
  /** The folder of the translation files. */
  readonly localesRoot: string;
  readonly now: () => WallMs;
}

export interface NetflowForCalls {
  readonly overheadPercent: number;
  /** Whether the plan's action holds now. */
  readonly isLimited: (incarnation: number) => boolean;
}

export const NETFLOW_ACCESS = { kind: 'permissions', all: [Permission.Netflow] } as const;
export const MAY_SEE_USAGE = { access: NETFLOW_ACCESS } as const;

export const NO_SIM_PLAN: Refusal = {
  status: 404,
  code: 'no-such-sim-plan',
  message: "Data plan not found, or you don't have access to it.",
};
export const TOO_MANY_SIM_PLANS: Refusal = {
  status: 409,
  code: 'too-many-sim-plans',
  message: "You've reached the limit of data plans. Delete some that aren't needed first.",
};

export function memberGroupOf(request: FastifyRequest): number {
  return scopeOf(callerOf(request)).memberGroup;
}

/** Undefined for a device that the caller's current member group doesn't see. */
export function findDevice(
  request: FastifyRequest,
  deviceId: string,
  { stores }: Pick<NetflowDeps, 'stores'>,
): Promise<SeenDevice | undefined> {
  return stores.netflowDevices.find(memberGroupOf(request), deviceId);
}

/** The group and all groups inside it; undefined where none was chosen. */
export async function groupsInside(
  group: string | undefined,
  { stores }: Pick<NetflowDeps, 'stores'>,
): Promise<readonly number[] | undefined> {
  if (group === undefined) return undefined;
  const parents = await stores.deviceTree.parents();
  const chosen = Number(group);
  const isInside = (serialno: number): boolean => {
    const passed = new Set<number>();
    for (let at: number | undefined = serialno; at !== undefined && !passed.has(at); at = parents.get(at)) {
      if (at === chosen) return true;
      passed.add(at);
    }
    return false;
  };
  return [...parents.keys()].filter(isInside);
}
