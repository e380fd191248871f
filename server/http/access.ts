// What a route needs of its caller. Every route declares it; one that does not stops the start.
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { LinkKind } from '../store/linkCredentials.ts';

export type Access =
  /** Anyone. */
  | { readonly kind: 'public' }
  /** A session, whatever its user may do. */
  | { readonly kind: 'signed-in' }
  /** A session whose user has all of these permissions. */
  | { readonly kind: 'permissions'; readonly all: readonly string[] }
  /** A link's username and credential in the query, for the device that the request names. */
  | { readonly kind: 'link'; readonly link: LinkKind | 'any' }
  /** The bearer token of the metrics. */
  | { readonly kind: 'metrics' };

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
}

/** Must be installed before any route is. Throws at the route that forgot. */
export function requireDeclaredAccess(app: FastifyInstance): void {
  app.addHook('onRoute', (route: RouteOptions) => {
    if (route.config?.access === undefined) {
      throw new Error(`the route ${String(route.method)} ${route.url} does not declare the access that it needs`);
    }
  });
}
