// The OpenAPI document, made from the routes' own schemas.
import fastifySwagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';

export async function registerOpenApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Fleetglass gateway', version },
    },
    hideUntagged: false,
  });
  const options = { schema: { hide: true }, config: { access: { kind: 'public' } } } as const;
  app.get('/api/openapi.json', options, () => app.swagger());
}
