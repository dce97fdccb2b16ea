import { compare } from './fidelity/compare/compare.ts';
import { against } from './fidelity/compare/against.test-support.ts';
for (let i=0;i<3;i++){ const s=performance.now(); const c=await compare({...against({}), operations: 6000}); console.log(Math.round(c.coverage.operations/((performance.now()-s)/1000)), 'ops/s', c.differences.length); }
