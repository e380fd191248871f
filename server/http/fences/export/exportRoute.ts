// All fences of the member group as a file.
import { Readable } from 'node:stream';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import {
  FENCE_EXPORT_PATH,
  FenceExport,
  type FenceExportFormat,
} from '../../../../shared/protocol/api/fences/fences.ts';
import { DownloadAddress } from '../../../../shared/protocol/api/lists.ts';
import { guardStream } from '../../../faults/streams.ts';
import type { StoredFence } from '../../../store/fences/fences.ts';
import { answers } from '../../kernel/answers.ts';
import { callerOf } from '../../kernel/caller.ts';
import { scopeOf } from '../../kernel/callerScope.ts';
import { ok } from '../../kernel/envelope.ts';
import { recordAudit } from '../../kernel/recordAudit.ts';
import { MAY_CONFIGURE_FENCES as config, type FenceDeps } from '../fenceDeps.ts';
import { geojsonParts } from './geojsonFile.ts';
import { kmlParts } from './kmlFile.ts';

interface FileOfFences {
  readonly type: string;
  readonly parts: (fences: readonly StoredFence[]) => Iterable<string>;
}

const FILES: Readonly<Record<FenceExportFormat, FileOfFences>> = {
  geojson: { type: 'application/geo+json', parts: geojsonParts },
  kml: { type: 'application/vnd.google-earth.kml+xml', parts: kmlParts },
};

/** `POST /api/fence/export`: gives where the file can be downloaded. */
export function registerFenceExport(app: FastifyInstance, { stores }: FenceDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Geofences as a file', querystring: FenceExport, response: answers(DownloadAddress) };
  routes.post(FENCE_EXPORT_PATH, { schema, config: { ...config, changes: [] } }, async (request) => {
    const { format } = request.query;
    const { type, parts } = FILES[format];
    await recordAudit(request, { action: 'export.begin', target: 'geofences', detail: { format } });
    const address = app.downloads.offer(request, {
      access: config.access,
      send: async (current, reply) => {
        const fences = await stores.fences.ofGroup(scopeOf(callerOf(current)).memberGroup);
        return reply
          .type(type)
          .header('content-disposition', `attachment; filename="geofences.${format}"`)
          .serializer((payload: unknown) => payload as string)
          .send(guardStream(Readable.from(parts(fences), { objectMode: false })));
      },
    });
    return ok({ address });
  });
}
