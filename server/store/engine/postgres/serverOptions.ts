/**
 * A connection string with settings of the session, behind those that it has already: the operator's may name the schema. They are sent
 * with the connection's start, and not as statements: a pooler between us and the server would give those settings to others.
 */
export function withServerOptions(connectionString: string, options: string): string {
  const at = connectionString.indexOf('?');
  const address = at < 0 ? connectionString : connectionString.slice(0, at);
  const parameters = new URLSearchParams(at < 0 ? '' : connectionString.slice(at + 1));
  const given = parameters.get('options');
  parameters.set('options', given === null ? options : `${given} ${options}`);
  return `${address}?${parameters}`;
}
