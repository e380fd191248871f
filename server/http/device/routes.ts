import { Type, type TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { DeviceInfo } from '../../../shared/protocol/api.ts';
import { EnvelopeOf, ErrorAnswers, ok, Refused, refuse } from '../envelope.ts';
import { ShortText } from '../fields.ts';

/** What a device's channels are now; the device side of the gateway knows. */
export interface DeviceDirectory {
  /** Undefined for a device that does not exist. */
  describe(deviceId: string): Promise<DeviceInfo | undefined>;
}

export interface DeviceDeps {
  readonly directory: DeviceDirectory;
}

const LinkQuery = Type.Object({ username: ShortText, credential: ShortText, deviceid: ShortText });
const Info = Type.Object({ chn: Type.Integer(), installchs: Type.String(), livechs: Type.String() });

/** `GET /api/device/device`: the device that a link opens. */
export async function registerDevice(app: FastifyInstance, { directory }: DeviceDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'The device that a link opens',
    querystring: LinkQuery,
    response: { 200: EnvelopeOf(Info), ...ErrorAnswers },
  };
  const config = { access: { kind: 'link', link: 'any' } } as const;
  routes.get('/api/device/device', { schema, config }, async (request, reply) => {
    const device = request.linkDevice;
    const info = device === undefined ? undefined : await directory.describe(device.deviceId);
    return info === undefined ? refuse(reply, Refused.link) : ok(info);
  });
}
