export async function trouble() { return 'none yet'; }
