// Imports of geofences: a dry run that gives the outcome of every row, and the import of exactly that.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  FENCE_APPLY_PATH,
  FENCE_CHECK_PATH,
  FenceImportApplication,
  FenceImportChoice,
  FenceImportCounts,
  FenceImportPlan,
  MAX_FENCE_IMPORT_BYTES,
  MAX_FENCE_VERTICES,
  MAX_FENCES,
} from '../../../../shared/protocol/api/fences/fences.ts';
import { vertexCount } from '../../../../shared/protocol/fences/vertexCount.ts';
import { createFenceActs } from '../../../fences/acts/fences.ts';
import type { Limit } from '../../../limits/limit.ts';
import { createYielder } from '../../devices/import/yielder.ts';
import { FILE_TOO_COMPLEX, type UnreadableFile } from '../../imports/importReader.ts';
import { answers } from '../../kernel/answers.ts';
import { callerOf } from '../../kernel/caller.ts';
import { scopeOf } from '../../kernel/callerScope.ts';
import { conflictWith, ok, type Refusal, Refused, refuse } from '../../kernel/envelope.ts';
import { actorOf } from '../../kernel/records/recordRoutes.ts';
import { MAY_CONFIGURE_FENCES as config, type FenceDeps } from '../fenceDeps.ts';
import { type PlannedFences, planFences } from './fencePlan.ts';
import { lineOfText } from './readFence.ts';
import { type FenceFileFault, IMPORTED_FENCES_LIMIT } from './readFile.ts';

/** Size of a file of geofences. The answer is 413. */
export const FENCE_IMPORT_BYTES_LIMIT: Limit = { name: 'http.fence-import.bytes', max: MAX_FENCE_IMPORT_BYTES };
const bodyLimit = FENCE_IMPORT_BYTES_LIMIT.max;

/** Which of the formats it is, the file itself says. */
const FILE_TYPES = [
  'application/octet-stream',
  'application/json',
  'application/geo+json',
  'application/vnd.google-earth.kml+xml',
  'application/gpx+xml',
  'application/xml',
  'text/xml',
  'text/csv',
];

const FILE_WORDS: Readonly<Record<FenceFileFault | UnreadableFile['code'], string>> = {
  'file-too-complex': FILE_TOO_COMPLEX,
  'fence-file-empty': 'The file contains no geofences. Select another file.',
  'file-encoding': "The file isn't text in a known encoding. Save it as UTF-8.",
  'fence-file-format': "The file isn't GeoJSON, KML, GPX, or CSV. Select another file.",
  'fence-file-json': 'The file is damaged: its JSON ends or breaks off somewhere. Export it again.',
  'fence-file-xml': "The file is damaged, or contains a document type, which isn't allowed. Export it again.",
  'file-quotes': 'A quotation mark is missing. Correct the file and try again.',
  'fence-file-column-missing': 'A required column is missing. Add name and either wkt, or lat and lng.',
  'fence-file-too-long': 'The file contains too many geofences. Split it into several files.',
};

/** `POST /api/fence/check` and `/apply`: the file is the body, as it is. */
export async function registerFenceImport(app: FastifyInstance, deps: FenceDeps): Promise<void> {
  // Only registered here: elsewhere a body is JSON, and here JSON is a file as well.
  await app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(FILE_TYPES, { parseAs: 'buffer', bodyLimit }, (_request, body, taken) =>
      taken(null, body),
    );
    registerCheck(scope, deps);
    registerApply(scope, deps);
    done();
  });
}

function registerCheck(app: FastifyInstance, deps: FenceDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const response = answers(FenceImportPlan);
  const schema = { summary: 'Says what an import of geofences would do', querystring: FenceImportChoice, response };
  routes.post(FENCE_CHECK_PATH, { schema, config, bodyLimit }, async (request, reply) => {
    const planned = await plan(deps, request, request.query);
    if ('status' in planned) return refuse(reply, planned);
    const { work: _, ...answer } = planned;
    return ok(answer);
  });
}

function registerApply(app: FastifyInstance, deps: FenceDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { stores, bus, now } = deps;
  const acts = createFenceActs({ store: stores.fences, reach: stores.fenceReach, bus, now });
  const response = answers(FenceImportCounts);
  const schema = { summary: 'Imports exactly what was said', querystring: FenceImportApplication, response };
  const adding = { schema, config: { ...config, addsToGroup: true as const }, bodyLimit };
  routes.post(FENCE_APPLY_PATH, adding, async (request, reply) => {
    const planned = await plan(deps, request, request.query);
    if ('status' in planned) return refuse(reply, planned);
    const { work, counts, token } = planned;
    const noted = { target: token.slice(0, 16), detail: detailOf(planned) };
    const isAsShown = token === request.query.token;
    const isDone = isAsShown && (await acts.importMany(actorOf(request), work, noted));
    return isDone ? ok(counts) : refuse(reply, conflictWith(null));
  });
}

type PlannedFile = PlannedFences & Pick<FenceImportPlan, 'format' | 'encoding' | 'isGuess'>;

/** Name for a geofence where neither the file nor the caller has one. */
const DEFAULT_NAME = 'Geofence';

async function plan(
  deps: FenceDeps,
  request: FastifyRequest,
  { widthMeters = '0', radiusMeters = '0', name = '', encoding }: FenceImportChoice,
): Promise<PlannedFile | Refusal> {
  if (!Buffer.isBuffer(request.body)) return Refused.badRequest;
  const sizes = { widthMeters: Number(widthMeters), radiusMeters: Number(radiusMeters) };
  const defaults = { ...sizes, name: lineOfText(name) || DEFAULT_NAME };
  const { memberGroup } = scopeOf(callerOf(request));
  const file = await deps.importReader.fences({ bytes: request.body, memberGroup }, { defaults, encoding });
  if (!file.ok) {
    if (file.code === 'fence-file-too-long') deps.onLimit(IMPORTED_FENCES_LIMIT);
    const data = { fields: { file: file.code } };
    return { status: 422, code: file.code, message: FILE_WORDS[file.code], data };
  }
  const fences = await deps.stores.fences.ofGroup(memberGroup);
  const vertices = fences.reduce((sum, { content }) => sum + vertexCount(content), 0);
  const room = { fences: MAX_FENCES - fences.length, vertices: MAX_FENCE_VERTICES - vertices };
  const planned = await planFences(file.fences, { fences, room }, createYielder());
  const { format, encoding: found, isGuess } = file;
  return { ...planned, format, encoding: found, isGuess };
}

const MAX_NOTED = 500;

/** The detail for the audit log, which is not an archive of files: only the first rows of a large import. */
function detailOf({ counts, rows, format }: PlannedFile) {
  const named = (outcome: string) => rows.filter((row) => row.outcome === outcome).map(({ name }) => name);
  return { format, counts, added: named('added').slice(0, MAX_NOTED), changed: named('changed').slice(0, MAX_NOTED) };
}
