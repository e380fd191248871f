// `/api/user/push`: browsers that the caller allows to show notifications.
import { createECDH } from 'node:crypto';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { OWN_PUSH_PATH, PushSubscriptionContent } from '../../../../shared/protocol/api/notify/ownNotify.ts';
import { closed, Id, IdText, Nothing } from '../../../../shared/protocol/api/records.ts';
import type { PushBrowsers } from '../../../notify/senders/push/pushBrowsers.ts';
import { answers } from '../../kernel/answers.ts';
import { callerOf, clientInfoOf } from '../../kernel/caller.ts';
import { ok, Refused, refuse, refusedFields } from '../../kernel/envelope.ts';
import { recordAudit } from '../../kernel/recordAudit.ts';

export interface OwnPushDeps {
  readonly pushBrowsers: Pick<PushBrowsers, 'mayReach' | 'allow' | 'remove'>;
}

const config = { access: { kind: 'signed-in' } } as const;

export function registerOwnPush(app: FastifyInstance, { pushBrowsers }: OwnPushDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const allowing = {
    summary: 'Allows notifications in a browser',
    body: PushSubscriptionContent,
    response: answers(Type.Object({ id: Id })),
  };
  routes.post(OWN_PUSH_PATH, { schema: allowing, config }, async (request, reply) => {
    const { body } = request;
    if (!pushBrowsers.mayReach(body.endpoint)) return refuse(reply, refusedFields({ endpoint: 'not-allowed' }));
    if (!isCurvePoint(body.p256dh)) return refuse(reply, refusedFields({ p256dh: 'bad-format' }));
    const { user } = callerOf(request);
    const { userAgent } = clientInfoOf(request);
    const id = await pushBrowsers.allow(user.id, body, userAgent);
    if (id === undefined) return refuse(reply, Refused.notSignedIn);
    await recordAudit(request, { action: 'push.allow', target: user.username, detail: { userAgent } });
    return ok({ id });
  });

  const removing = {
    summary: 'Ends notifications in a browser',
    params: Type.Object({ id: IdText }, closed),
    response: answers(Nothing),
  };
  routes.delete(`${OWN_PUSH_PATH}/:id`, { schema: removing, config }, async (request, reply) => {
    const { user } = callerOf(request);
    const isRemoved = await pushBrowsers.remove(user.id, Number(request.params.id));
    if (!isRemoved) return refuse(reply, Refused.notFound);
    await recordAudit(request, { action: 'push.remove', target: user.username });
    return ok({});
  });
}

/** A key that is no point of the curve could never be encrypted for. */
function isCurvePoint(publicKey: string): boolean {
  const curve = createECDH('prime256v1');
  curve.generateKeys();
  try {
    return curve.computeSecret(Buffer.from(publicKey, 'base64url')).length > 0;
  } catch {
    return false; // whatever the reason is, it is the key's
  }
}
