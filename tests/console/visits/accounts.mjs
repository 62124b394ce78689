export async function accounts() { return 'none yet'; }
