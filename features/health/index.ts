// Health: facts about all processes, the alarms that follow from them, and the records of both.

export { HealthMemory } from './health-memory.ts';
