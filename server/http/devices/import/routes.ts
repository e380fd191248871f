// Imports: a dry run that gives the outcome of every row, and the import of exactly that.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  IMPORT_PATH,
  ImportApplication,
  ImportChoice,
  ImportCounts,
  ImportPlan,
} from '../../../../shared/protocol/api/deviceImport.ts';
import type { ImportEncoding } from '../../../../shared/protocol/api/imports/importEncodings.ts';
import { concernsTerminal } from '../../../devices/deviceFields.ts';
import { canSee, pathsOf } from '../../../devices/reach.ts';
import type { Limit } from '../../../limits/limit.ts';
import { FILE_TOO_COMPLEX, type UnreadableFile } from '../../imports/importReader.ts';
import { answers } from '../../kernel/answers.ts';
import { callerOf } from '../../kernel/caller.ts';
import { scopeOf } from '../../kernel/callerScope.ts';
import { conflictWith, ok, type Refusal, Refused, refuse, refusedFields } from '../../kernel/envelope.ts';
import { recordAudit } from '../../kernel/recordAudit.ts';
import type { DeviceGroupDeps } from '../deps.ts';
import { ROUTE_CONFIG as config, deviceReachOf } from '../scope.ts';
import { type Planned, planImport } from './plan.ts';
import type { FileFault } from './readFile.ts';
import { createYielder } from './yielder.ts';

/** Size of a device file: 50,000 devices with every column filled. The answer is 413. */
export const IMPORT_BYTES_LIMIT: Limit = { name: 'http.import.bytes', max: 32 * 1024 * 1024 };

const FILE_WORDS: Readonly<Record<FileFault | UnreadableFile['code'], string>> = {
  'file-too-complex': FILE_TOO_COMPLEX,
  'file-empty': 'The file contains no devices. Select another file.',
  'file-encoding': "The file isn't text in a known encoding. Save it as UTF-8.",
  'file-quotes': 'A quotation mark is missing. Correct the file and try again.',
  'file-column-unknown': 'The file has an unknown column. Rename or remove it.',
  'file-column-twice': 'A column appears twice. Remove one of them.',
  'file-column-missing': 'A required column is missing. Add it to the file.',
  'file-too-long': 'The file contains too many devices. Split it into several files.',
};

/** `POST /api/devicegroup/import/check` and `/apply`: the file is the body, as it is. */
export async function registerImport(app: FastifyInstance, deps: DeviceGroupDeps): Promise<void> {
  // Only registered here: elsewhere a body is JSON.
  await app.register((scope, _options, done) => {
    scope.addContentTypeParser(
      ['text/csv', 'application/octet-stream'],
      { parseAs: 'buffer', bodyLimit: IMPORT_BYTES_LIMIT.max },
      (_request, body, taken) => taken(null, body),
    );
    registerCheck(scope, deps);
    registerApply(scope, deps);
    done();
  });
}

function registerCheck(app: FastifyInstance, deps: DeviceGroupDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const response = answers(ImportPlan);
  const schema = { summary: 'Says what an import would do', querystring: ImportChoice, response };
  const options = { schema, config: { ...config, changes: [] }, bodyLimit: IMPORT_BYTES_LIMIT.max };
  routes.post(`${IMPORT_PATH}/check`, options, async (request, reply) => {
    const read = await plan(deps, request, request.query);
    return 'status' in read ? refuse(reply, read) : ok(toAnswer(read));
  });
}

function registerApply(app: FastifyInstance, deps: DeviceGroupDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const response = answers(ImportCounts);
  const schema = { summary: 'Imports exactly what was said', querystring: ImportApplication, response };
  const options = { schema, config, bodyLimit: IMPORT_BYTES_LIMIT.max };
  routes.post(`${IMPORT_PATH}/apply`, options, async (request, reply) => {
    const read = await plan(deps, request, request.query);
    if ('status' in read) return refuse(reply, read);
    const { planned } = read;
    const isAsShown = planned.token === request.query.token;
    if (isAsShown) await dropOrders(deps, planned);
    const { maxDevices } = read;
    if (!isAsShown || !(await deps.stores.deviceRecords.import(planned.work, deps.now(), maxDevices))) {
      return refuse(reply, conflictWith(null));
    }
    cutChanged(deps, read);
    const detail = { counts: planned.counts, encoding: read.encoding, ...changesOf(planned) };
    await recordAudit(request, { action: 'device.import', target: planned.token.slice(0, 16), detail });
    return ok(planned.counts);
  });
}

interface ReadPlan {
  readonly encoding: ImportEncoding;
  readonly isGuess: boolean;
  readonly planned: Planned;
  readonly maxDevices: number;
  readonly devices: Awaited<ReturnType<DeviceGroupDeps['stores']['deviceRecords']['all']>>;
}

async function plan(
  deps: DeviceGroupDeps,
  request: FastifyRequest,
  { encoding, group }: ImportChoice,
): Promise<ReadPlan | Refusal> {
  if (!Buffer.isBuffer(request.body)) return Refused.badRequest;
  const { memberGroup } = scopeOf(callerOf(request));
  const file = await deps.importReader.devices({ bytes: request.body, memberGroup }, encoding);
  if (!file.ok) {
    if ('limit' in file && file.limit !== undefined) deps.onLimit(file.limit);
    const what = 'what' in file ? file.what : '';
    const data = { fields: { file: file.code, what } };
    return { status: 422, code: file.code, message: FILE_WORDS[file.code], data };
  }
  const [reach, devices] = await Promise.all([deviceReachOf(deps, request), deps.stores.deviceRecords.all()]);
  const presetGroup = group === undefined ? undefined : Number(group);
  if (presetGroup !== undefined && !reach.ids.has(presetGroup)) {
    return refusedFields({ group: 'unknown' });
  }
  const maxDevices = await deps.serverInfo.maxDevices();
  const isVisible = (device: (typeof devices)[number]) => canSee(reach, device);
  const context = { devices, isVisible, presetGroup, maxDevices };
  const planned = await planImport(file.rows, { ...context, paths: pathsOf(reach.groups) }, createYielder());
  return { encoding: file.encoding, isGuess: file.isGuess, planned, maxDevices, devices };
}

function toAnswer({ encoding, isGuess, planned }: ReadPlan): ImportPlan {
  const { counts, token, rows } = planned;
  return { encoding, isGuess, counts, token, rows };
}

async function dropOrders({ terminals }: DeviceGroupDeps, { work }: Planned): Promise<void> {
  const exchanged = work.changed.filter(({ hasNewTerminal }) => hasNewTerminal);
  await Promise.all(exchanged.map(({ deviceId }) => terminals.dropOrders(deviceId)));
}

function cutChanged(deps: DeviceGroupDeps, { planned, devices }: ReadPlan): void {
  const before = new Map(devices.map((device) => [device.deviceId, device]));
  for (const { deviceId, fields, hasNewTerminal } of planned.work.changed) {
    const was = before.get(deviceId);
    if (hasNewTerminal) deps.terminals.forget(deviceId);
    else if (was !== undefined && concernsTerminal(was, fields)) deps.terminals.cut(deviceId);
  }
}

const MAX_NOTED = 500;

/** The changes for the audit log, which is not an archive of files: only the first rows of a large import. */
function changesOf({ rows }: Planned) {
  const added = rows.filter(({ outcome }) => outcome === 'added').map(({ deviceid }) => deviceid);
  const changed = rows
    .filter(({ outcome }) => outcome === 'changed')
    .map(({ deviceid, changes }) => ({ deviceid, changes }));
  return { added: added.slice(0, MAX_NOTED), changed: changed.slice(0, MAX_NOTED) };
}
