// What pages receive about restores.
import type {
  RestoreState,
  DryRun as ShownDryRun,
  RestorePlan as ShownPlan,
} from '../../../shared/protocol/api/system/restore.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { DryRun } from '../../backup/restore/dryRuns.ts';
import type { NameList } from '../../backup/restore/nameList.ts';
import type { RestorePlan } from '../../backup/restore/planRestore.ts';
import type { RestoresForCalls } from './backupDeps.ts';

export function showRestores({ dryRuns, ofHost }: Pick<RestoresForCalls, 'dryRuns' | 'ofHost'>): RestoreState {
  return { dryRun: dryRuns.current === undefined ? null : showDryRun(dryRuns.current), last: ofHost?.last ?? null };
}

function showDryRun({ source: { backup }, state }: DryRun): ShownDryRun {
  const common = { backup: backup.id, file: backup.file };
  switch (state.kind) {
    case 'running':
      return { ...common, state: 'running', rows: state.rows, fault: '', plan: null };
    case 'failed':
      return { ...common, state: 'failed', rows: 0, fault: state.fault, plan: null };
    case 'ready':
      return { ...common, state: 'ready', rows: 0, fault: '', plan: showPlan(state.id, state.plan) };
  }
}

function showPlan(id: string, { head, since, vanishing, ...plan }: RestorePlan): ShownPlan {
  const { schema, isOtherEngine, files } = plan;
  return {
    ...{ id, schema, isOtherEngine, files },
    createdAtMs: wallMs(head.createdAtMs),
    productVersion: head.productVersion,
    schemaVersion: head.schemaVersion,
    engine: head.engine,
    missingHistory: [...plan.missingHistory],
    tables: plan.tables.map(({ compared, ...table }) => ({ ...table, compared: compared ?? null })),
    vanishing: { devices: showNames(vanishing.devices), members: showNames(vanishing.members) },
    since: {
      ...since,
      disabled: showNames(since.disabled),
      passwordChanged: showNames(since.passwordChanged),
      revokedLinks: showNames(since.revokedLinks),
    },
  };
}

function showNames({ names, count }: NameList) {
  return { names: [...names], count };
}
