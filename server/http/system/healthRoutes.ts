import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { answers } from '../kernel/answers.ts';
import { ok, refuse } from '../kernel/envelope.ts';

export interface HealthDeps {
  /** Rejects when the gateway cannot serve, such as while its database does not answer. */
  readonly checkReady: () => Promise<void>;
}

const NOT_READY = {
  status: 503,
  code: 'not-ready',
  message: "The server isn't ready. Try again in a moment.",
} as const;

/**
 * `/healthz`: the process answers; it asks nothing of the database, so that a slow one gets nobody restarted.
 * `/readyz`: requests can be served.
 */
export async function registerHealth(app: FastifyInstance, { checkReady }: HealthDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = { access: { kind: 'public' } } as const;
  const alive = answers(Type.Object({ alive: Type.Literal(true) }));
  const ready = answers(Type.Object({ ready: Type.Literal(true) }));

  routes.get('/healthz', { schema: { summary: 'Whether the process answers', response: alive }, config }, () =>
    ok({ alive: true as const }),
  );

  routes.get(
    '/readyz',
    { schema: { summary: 'Whether requests can be served', response: ready }, config },
    async (request, reply) => {
      try {
        await checkReady();
        return ok({ ready: true as const });
      } catch (error) {
        request.log.warn({ err: error }, 'not ready');
        return refuse(reply, NOT_READY);
      }
    },
  );
}
