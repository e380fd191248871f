// The OpenAPI document, made from the routes' own schemas.
import fastifySwagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';

/** Version of the contract. The product's version is only for users who are signed in. */
const CONTRACT_VERSION = '1';

export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Fleetglass gateway', version: CONTRACT_VERSION },
    },
    hideUntagged: false,
  });
  const options = { schema: { hide: true }, config: { access: { kind: 'public' } } } as const;
  app.get('/api/openapi.json', options, () => app.swagger());
}
