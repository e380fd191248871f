import { describeLimits } from '../describeLimits.ts';
import { fenceAdminCases } from './fenceAdminCases.ts';

describeLimits('Geofences', fenceAdminCases);
