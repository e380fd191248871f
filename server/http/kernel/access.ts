// What a route needs of its caller. Every route declares it; one that does not stops the start.
import type { FastifyInstance } from 'fastify';
import type { LinkKind } from '../../../shared/protocol/api/links.ts';
import type { Permission } from '../../../shared/protocol/permissions.ts';

export type Access =
  /** Anyone. `recognise`: the answer depends on who asks, so the caller is looked up all the same. */
  | { readonly kind: 'public'; readonly recognise?: true }
  /** A session, whatever its user may do. */
  | { readonly kind: 'signed-in' }
  | PermissionsAccess
  /** A session whose user has one of these permissions at least. What is asked for may take more: the route looks. */
  | { readonly kind: 'any-permission'; readonly any: readonly Permission[] }
  /** A link's username and credential in the query, for the device in the query or the body. */
  | { readonly kind: 'link'; readonly link: LinkKind | 'any' }
  /** Such a link, or, where the query has no credential, a session whose user has the permission and sees the device. */
  | { readonly kind: 'link-or-permission'; readonly link: LinkKind; readonly permission: Permission }
  /** A terminal: the secret in the path is the proof, from the address that the terminal signed in from. */
  | { readonly kind: 'terminal' }
  /** The bearer token of the metrics. */
  | { readonly kind: 'metrics' };

/** A session whose user has all of these permissions. */
export interface PermissionsAccess {
  readonly kind: 'permissions';
  readonly all: readonly Permission[];
}

export interface DeclaredRoute {
  readonly method: string;
  /** The pattern, such as /locales/load/:lng/:ns. */
  readonly url: string;
  readonly access: Access;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** The call adds something to the caller's member group: a caller without one is refused. */
    addsToGroup?: true;
  }
}

/**
 * Collects every route that is registered from now on, and throws at the one that forgot to say what it needs or what
 * it takes and gives.
 */
export function collectRoutes(app: FastifyInstance): readonly DeclaredRoute[] {
  const routes: DeclaredRoute[] = [];
  app.addHook('onRoute', ({ method, url, config, schema }) => {
    const access = config?.access;
    if (access === undefined)
      throw new Error(`the route ${String(method)} ${url} does not declare the access it needs`);
    if (schema === undefined) throw new Error(`the route ${String(method)} ${url} has no schema`);
    for (const one of [method].flat()) routes.push({ method: one, url, access });
  });
  return routes;
}

/** The methods that an address takes, none for an address that no route but the catch-all has. */
export function methodsOf(path: string, routes: readonly DeclaredRoute[]): readonly string[] {
  const exact = routes.filter(({ url }) => url !== '/*' && matches(path, url));
  return [...new Set(exact.map(({ method }) => method))].sort();
}

function matches(path: string, pattern: string): boolean {
  const given = path.split('/');
  const wanted = pattern.split('/');
  return given.length === wanted.length && wanted.every((part, index) => part.startsWith(':') || part === given[index]);
}
