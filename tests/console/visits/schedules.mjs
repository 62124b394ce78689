export async function schedules() { return 'none yet'; }
