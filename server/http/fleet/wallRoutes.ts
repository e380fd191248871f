// Camera walls: each user's own, by name. They name channels and open none: whoever shows one asks for each channel.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Wall, WallName, Walls } from '../../../shared/protocol/api/fleet.ts';
import { ShortText } from '../../../shared/protocol/api/records.ts';
import type { CameraWallStore } from '../../store/fleet/cameraWalls.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { ok, refuse } from '../kernel/envelope.ts';

export interface WallDeps {
  readonly cameraWalls: CameraWallStore;
}

const TOO_MANY = {
  status: 409,
  code: 'too-many-walls',
  message: "You've reached the limit of video walls. Delete one first.",
} as const;
const NO_SUCH_WALL = {
  status: 404,
  code: 'no-such-wall',
  message: "Video wall not found, or you don't have access to it.",
} as const;

const config = { access: { kind: 'signed-in' } } as const;

export async function registerWalls(app: FastifyInstance, { cameraWalls }: WallDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  routes.get(
    '/api/dashboard/walls',
    { schema: { summary: "The user's camera walls", response: answers(Walls) }, config },
    async (request) => {
      const walls = await cameraWalls.listOf(callerOf(request).user.id);
      return ok(
        walls.map(({ name, channels, cycleSeconds }) => ({
          name,
          channels: channels.map(({ deviceId, channel }) => ({ deviceid: deviceId, channel })),
          cycleSeconds,
        })),
      );
    },
  );
  routes.put(
    '/api/dashboard/wall',
    {
      schema: {
        summary: 'Keeps a camera wall, in place of one of the same name',
        body: Wall,
        response: answers(WallName),
      },
      config,
    },
    async (request, reply) => {
      const { name, channels, cycleSeconds } = request.body;
      const kept = channels.map(({ deviceid, channel }) => ({ deviceId: deviceid, channel }));
      const wall = { name: name.trim(), channels: kept, cycleSeconds };
      if (!(await cameraWalls.put(callerOf(request).user.id, wall))) return refuse(reply, TOO_MANY);
      return ok({ name: wall.name });
    },
  );
  routes.delete(
    '/api/dashboard/wall',
    {
      schema: {
        summary: 'Removes a camera wall',
        querystring: Type.Object({ name: ShortText }),
        response: answers(WallName),
      },
      config,
    },
    async (request, reply) => {
      const { name } = request.query;
      const removed = await cameraWalls.remove(callerOf(request).user.id, name);
      return removed ? ok({ name }) : refuse(reply, NO_SUCH_WALL);
    },
  );
}
