// The dashboard's own calls. Every user has the page, so a session is enough; what is shown is of its current group.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  DashboardFigures,
  DeviceDetails,
  EventDevices,
  MapSource,
  SystemFigures,
} from '../../../shared/protocol/api/fleet.ts';
import { ShortText } from '../../../shared/protocol/api/records.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import type { Config } from '../../config/variables.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { Log } from '../../process/log.ts';
import type { MemberGroupStore } from '../../store/accounts/memberGroups.ts';
import type { Stores } from '../../store/stores.ts';
import type { DeviceDirectory } from '../devices/deviceRoute.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { ok, Refused, refuse } from '../kernel/envelope.ts';
import { dashboardFigures, devicesWithEvent, type FiguresDeps, systemFigures } from './figures.ts';
import { MapFile } from './mapFile.ts';
import { registerMapFile } from './mapFileRoute.ts';
import { type MapVariable, mapSourceOf } from './mapSource.ts';
import { registerWalls } from './wallRoutes.ts';

export interface FleetRoutesDeps extends Omit<DashboardDeps, 'mapSource' | 'memberGroups'> {
  readonly stores: Stores;
  readonly config: Pick<Config, MapVariable>;
  readonly log: Log;
  readonly onLimit: OnLimit;
}

interface DashboardDeps {
  readonly figures: FiguresDeps;
  readonly mapSource: MapSource;
  readonly directory: DeviceDirectory;
  readonly memberGroups: Pick<MemberGroupStore, 'userSeesDevice'>;
}

const SIGNED_IN = { access: { kind: 'signed-in' } } as const;
const SYSTEM = { access: { kind: 'permissions', all: [Permission.System] } } as const;

/** The dashboard: its figures, its map and its video walls. */
export async function registerFleetRoutes(app: FastifyInstance, deps: FleetRoutesDeps): Promise<void> {
  const { stores, config, onLimit } = deps;
  await registerDashboard(app, { ...stores, ...deps, mapSource: mapSourceOf(config) });
  await registerMapFile(app, { mapFile: await openMapFile(deps), onLimit });
  await registerWalls(app, stores);
}

async function openMapFile({ config, log }: FleetRoutesDeps): Promise<MapFile | undefined> {
  if (config.mapPmtiles === undefined) return undefined;
  const mapFile = new MapFile({ path: config.mapPmtiles, log });
  await mapFile.check();
  return mapFile;
}

async function registerDashboard(app: FastifyInstance, deps: DashboardDeps): Promise<void> {
  await registerFigures(app, deps.figures);
  await registerMap(app, deps);
}

async function registerFigures(app: FastifyInstance, deps: FiguresDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  routes.get(
    '/api/dashboard/figures',
    {
      schema: { summary: "The current group's figures", response: answers(DashboardFigures) },
      config: SIGNED_IN,
    },
    async (request) => {
      const { session } = callerOf(request);
      return ok(await dashboardFigures(session.memberGroup, deps));
    },
  );
  routes.get(
    '/api/dashboard/eventdevices',
    {
      schema: {
        summary: 'The devices behind a type of event',
        querystring: Type.Object({ type: ShortText }),
        response: answers(EventDevices),
      },
      config: SIGNED_IN,
    },
    async (request) => {
      const { session } = callerOf(request);
      const devices = await devicesWithEvent(session.memberGroup, request.query.type, deps);
      return ok(devices.map(({ deviceId, count }) => ({ deviceid: deviceId, count })));
    },
  );
  routes.get(
    '/api/dashboard/system',
    {
      schema: { summary: 'How machine and gateway fare', response: answers(SystemFigures) },
      config: SYSTEM,
    },
    async () => ok(await systemFigures(deps)),
  );
}

async function registerMap(app: FastifyInstance, deps: DashboardDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  routes.get(
    '/api/dashboard/map',
    {
      schema: { summary: "The map's background", response: answers(MapSource) },
      config: SIGNED_IN,
    },
    () => ok(deps.mapSource),
  );
  routes.get(
    '/api/dashboard/device',
    {
      schema: {
        summary: "A device of the current group, with its channels' states",
        querystring: Type.Object({ deviceid: ShortText }),
        response: answers(DeviceDetails),
      },
      config: SIGNED_IN,
    },
    async (request, reply) => {
      const { user, session } = callerOf(request);
      const deviceId = request.query.deviceid;
      const group = session.memberGroup;
      const sees = group !== undefined && (await deps.memberGroups.userSeesDevice(user.id, deviceId, group));
      const state = await deps.figures.stateOf(group);
      const isShown = sees && state.devices.has(deviceId);
      const description = isShown ? await deps.directory.describe(deviceId) : undefined;
      if (description === undefined) return refuse(reply, Refused.device);
      return ok({ deviceid: deviceId, ...description });
    },
  );
}
