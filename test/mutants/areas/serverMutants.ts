import type { Mutant } from '../mutant.ts';

export const SERVER_MUTANTS: readonly Mutant[] = [
  {
    name: 'A session that stays valid after it has ended',
    area: 'accounts',
    file: 'server/auth/sessions.ts',
    text: 'if (session === undefined || isOver(session, now())) return undefined;',
    replacement: 'if (session === undefined) return undefined;',
    part: { layer: 'server', path: 'test/server/http/accounts/' },
  },
  {
    name: 'A share link that opens channels which it was not made for',
    area: 'links',
    file: 'server/auth/linkAccess.ts',
    text: '(request.channel === undefined || maskHas(credential.channelMask, request.channel))',
    replacement: '(request.channel === undefined || request.channel >= 1)',
    part: { layer: 'server', path: 'test/server/auth/' },
  },
  {
    name: 'A device of another member group that can be read',
    area: 'devices',
    file: 'server/http/devices/deviceRecordRoutes.ts',
    text: `    const record = await deps.stores.deviceRecords.find(request.params.id);
    if (record === undefined || !canSee(reach, record)) return refuse(reply, Refused.device);
    return ok(await detailOf(deps, record));`,
    replacement: `    const record = await deps.stores.deviceRecords.find(request.params.id);
    if (record === undefined) return refuse(reply, Refused.device);
    return ok(await detailOf(deps, record));`,
    part: { layer: 'server', path: 'test/server/http/devices/' },
  },
  {
    name: 'A role that is removed without an entry in the audit',
    area: 'audit',
    file: 'server/auth/acts/roles.ts',
    text: `      await noteAndTell(actor, { action: 'role.remove', target: known.name, before: auditFieldsOf(done.value) }, deps);
`,
    replacement: '',
    part: { layer: 'server', path: 'test/server/http/accounts/' },
  },
  {
    name: 'A recording that is deleted a day before its retention ends',
    area: 'recordings',
    file: 'server/retentionDays.ts',
    text: 'nowMs - days * DAY_MS',
    replacement: 'nowMs - (days - 1) * DAY_MS',
    part: { layer: 'server', path: 'test/server/recording/' },
  },
  {
    name: 'A geofence that overwrites what another member has saved meanwhile',
    area: 'geofences',
    file: 'server/store/fences/fences.ts',
    text: `    .where('version', '=', version)
    .returningAll()`,
    replacement: '    .returningAll()',
    part: { layer: 'server', path: 'test/server/store/fences/' },
  },
  {
    name: "An event's time that is too large for its type on PostgreSQL alone",
    area: 'events',
    file: 'server/store/engine/bigint.ts',
    text: 'as bigint)',
    replacement: 'as integer)',
    part: { layer: 'server', path: 'test/server/store/events/list/' },
  },
  {
    name: 'A report that leaves out the last day of its period',
    area: 'reports',
    file: 'server/reports/kinds/mileage.ts',
    text: ".where('local_day', '<=', dayNumber(toMs - 1, timeZone))",
    replacement: ".where('local_day', '<', dayNumber(toMs - 1, timeZone))",
    part: { layer: 'server', path: 'test/server/reports/' },
  },
  {
    name: 'An archive whose rows are not compared with the checksums of its manifest',
    area: 'system',
    file: 'server/backup/archive/tally.ts',
    text: 'const isSame = isDeepStrictEqual(manifest.tables, this.#entries);',
    replacement: 'const isSame = manifest.tables.length === this.#entries.length;',
    part: { layer: 'server', path: 'test/server/backup/' },
  },
  {
    name: 'An address whose credential is written to the log',
    area: 'system',
    file: 'server/http/kernel/requestLog.ts',
    text: "route: request.routeOptions.url ?? '(none)',",
    replacement: 'route: request.url,',
    part: { layer: 'server', path: 'test/server/http/kernel/' },
  },
];
