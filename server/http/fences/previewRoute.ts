import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { FENCE_PREVIEW_PATH, FencePreview, FencePreviewRequest } from '../../../shared/protocol/api/fences/fences.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { refusalOfFence } from '../../fences/acts/fences.ts';
import type { FencePreviews } from '../../fences/preview/fencePreviews.ts';
import { TOO_MANY_PREVIEWS } from '../events/config/eventConfigRefusals.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { scopeOf } from '../kernel/callerScope.ts';
import { ok, refuse } from '../kernel/envelope.ts';
import { contentRefusal } from '../kernel/records/recordRoutes.ts';
import { untilGone } from '../kernel/untilGone.ts';
import { FENCE_BYTES_LIMIT, type FenceDeps } from './fenceDeps.ts';

export interface FencePreviewDeps {
  readonly fencePreviews: Pick<FencePreviews, 'preview'>;
  readonly stores: Pick<FenceDeps['stores'], 'fenceReach'>;
}

/** Asks with a body, and changes nothing. */
const config = {
  access: { kind: 'permissions', all: [Permission.System, Permission.Fence] },
  changes: [],
} as const;

/** `POST /api/fence/preview`. */
export async function registerFencePreview(
  app: FastifyInstance,
  { fencePreviews, stores }: FencePreviewDeps,
): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'What a geofence would have raised in the last days',
    body: FencePreviewRequest,
    response: answers(FencePreview),
  };
  routes.post(FENCE_PREVIEW_PATH, { schema, config, bodyLimit: FENCE_BYTES_LIMIT.max }, async (request, reply) => {
    const { memberGroup } = scopeOf(callerOf(request));
    const refusal = await refusalOfFence(request.body.fence, memberGroup, stores.fenceReach);
    if (refusal !== undefined) return refuse(reply, contentRefusal(refusal, {}));
    const gone = untilGone(reply);
    try {
      const preview = await fencePreviews.preview({ content: request.body.fence, memberGroup }, gone);
      return preview === undefined ? refuse(reply, TOO_MANY_PREVIEWS) : ok(preview);
    } catch (error) {
      // A preview that nobody waits for is given up; the answer goes nowhere.
      if (gone.aborted && error === gone.reason) return refuse(reply, TOO_MANY_PREVIEWS);
      throw error;
    }
  });
}
