# hosts.sh - four network namespaces as four hosts: ranks that share no memory, over TCP.
# shellcheck shell=sh

# shellcheck source=tests/mpi/lib.sh
. "$ROOT/tests/mpi/lib.sh"

if is_sanitized; then
    skips hosts 'takes long with sanitizers'
    return
fi
own=$(($$ % 10000))
net=10.$((77 + $$ % 100)).$(($$ / 100 % 200))

# clear_hosts: removes the bridge and the namespaces.
clear_hosts() {
    for host in 1 2 3 4; do
        ip netns del "hg$own-$host" 2>/dev/null
    done
    ip link del "hgb$own" 2>/dev/null
}

# make_hosts: makes a bridge, and four namespaces with an address each.
make_hosts() {
    ip link add "hgb$own" type bridge && ip addr add "$net.254/24" dev "hgb$own" &&
        ip link set "hgb$own" up || return 1
    for host in 1 2 3 4; do
        ip netns add "hg$own-$host" &&
            ip link add "hgv$own-$host" type veth peer name eth0 netns "hg$own-$host" &&
            ip link set "hgv$own-$host" master "hgb$own" up &&
            ip -n "hg$own-$host" addr add "$net.$host/24" dev eth0 &&
            ip -n "hg$own-$host" link set eth0 up && ip -n "hg$own-$host" link set lo up || return 1
    done
}

if [ -z "$OPEN_MPI" ] || [ "$(id -u)" != 0 ] || ! command -v ip >/dev/null 2>&1; then
    skips hosts 'namespaces want root and ip(8), and their launch is for Open MPI'
    return
fi
if ! (make_hosts) 2>refused; then
    clear_hosts
    skips hosts "no network namespaces here: $(head -n 1 refused)"
    return
fi

# The agent takes the place of ssh. The last part of the address is the number of the host.
cat >agent <<END
#!/bin/sh
host=\${1##*.}
shift
exec ip netns exec "hg$own-\$host" unshare -u sh -c "hostname n\$host; \$*"
END
chmod +x agent
plain=$LAUNCH
LAUNCH="mpirun -q --mca plm rsh --mca plm_rsh_agent $PWD/agent --mca mpi_yield_when_idle 1 --mca btl tcp,self
    --mca btl_tcp_if_include $net.0/24 --mca oob_tcp_if_include $net.0/24
    --host $net.1,$net.2,$net.3,$net.4"

for solver in 2 61 0; do
    ranks 4 -q -s "$solver" "$CANCER" apart
    same "-s $solver on four hosts: exit status" "0 " "$STATUS $(cat "$ERR")"
    LAUNCH_THERE=$LAUNCH
    LAUNCH=$plain
    ranks 1 -q -s "$solver" "$CANCER" together
    LAUNCH=$LAUNCH_THERE
    same_bytes "-s $solver on four hosts" together apart
done
ranks 4 -q -s 2 nothing model
ended 'no file' 3 'train-mpi: cannot open nothing: No such file or directory'
# shellcheck disable=SC2016 # for the host
mixed_ranks 4 'echo $$ >pid.$RANK
[ "$RANK" != 3 ] || { sleep 1; exit 9; }
exec "$BIN/train-mpi" -q -s 2 "$CANCER" model'
same 'a host that leaves: exit status' 9 "$STATUS"
same 'a host that leaves: no model' '' "$(find . -name model)"
clear_hosts
