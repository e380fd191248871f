import { describeLimits } from '../describeLimits.ts';
import { imageCases } from './imageCases.ts';
import { uploadCases } from './uploadCases.ts';

describeLimits('Uploads and firmware images', [...uploadCases, ...imageCases]);
