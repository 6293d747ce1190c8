// Variables as no mechanism may have them, for state.sh.
int state_of_data = 1, state_of_bss;
int *state_of_pointer = &state_of_bss;
_Thread_local int state_of_tdata = 1, state_of_tbss;
