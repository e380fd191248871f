import type { WantedRestore } from '../../../../shared/protocol/api/system/restore.ts';

/** What stays of the present state, beside the audit log. */
export type RestoreKeep = WantedRestore['keep'];

export const KEEP_ALL: RestoreKeep = { disabled: true, passwords: true, links: true, history: true };
