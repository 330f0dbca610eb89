/** Members by room. */
export class Rooms<T> {
  private readonly members = new Map<string, Set<T>>();

  in(room: string): Iterable<T> {
    return this.members.get(room) ?? [];
  }

  has(room: string, member: T): boolean {
    return this.members.get(room)?.has(member) ?? false;
  }

  join(room: string, member: T): void {
    const members = this.members.get(room) ?? new Set<T>();
    this.members.set(room, members.add(member));
  }

  leave(room: string, member: T): void {
    const members = this.members.get(room);
    members?.delete(member);
    if (members?.size === 0) this.members.delete(room);
  }
}
