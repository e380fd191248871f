import { Type, type TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { DeviceInfo } from '../../../shared/protocol/api.ts';
import type { LinkAccess } from '../../auth/linkAccess.ts';
import { EnvelopeOf, ok, Refused, refuse } from '../envelope.ts';
import { ShortText } from '../fields.ts';

/** What a device's channels are now; the device side of the gateway knows. */
export interface DeviceDirectory {
  /** Undefined for a device that does not exist. */
  describe(deviceId: string): Promise<DeviceInfo | undefined>;
}

export interface DeviceDeps {
  readonly linkAccess: LinkAccess;
  readonly directory: DeviceDirectory;
}

const LinkQuery = Type.Object({ username: ShortText, credential: ShortText, deviceid: ShortText });
const Info = Type.Object({ chn: Type.Integer(), installchs: Type.String(), livechs: Type.String() });

/** `GET /api/device/device`: the device that a link opens. */
export async function registerDevice(app: FastifyInstance, { linkAccess, directory }: DeviceDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'The device that a link opens',
    querystring: LinkQuery,
    response: { 200: EnvelopeOf(Info) },
  };
  const config = { access: { kind: 'link', link: 'any' } } as const;
  routes.get('/api/device/device', { schema, config }, async (request, reply) => {
    const { username, credential, deviceid } = request.query;
    const answer = await linkAccess.check({ username, credential, deviceId: deviceid, kind: 'any' });
    const info = answer.ok ? await directory.describe(deviceid) : undefined;
    return info === undefined ? refuse(reply, Refused.link) : ok(info);
  });
}
