// SPDX-License-Identifier: GPL-2.0
//! Annotations of all kinds, with names of all kinds.
fn generic<T: Default + Into<i64>>() {
    annot::mark!("generic", T::default().into());
}

fn main() {
    let long = "é".repeat(200);
    {
        let _span = annot::span!("macro");
        let _value = annot::span!("macro", i64::MIN);
        let _wait = annot::wait!("macro");
        let _wait_value = annot::wait!("macro", 1);
    }
    {
        let _span = annot::span("function");
        let _value = annot::span_value("function", i64::MAX);
        let _wait = annot::wait("function");
        let _wait_value = annot::wait_value("function", -1);
    }
    annot::mark!("mark");
    annot::mark!("mark", 1 + 1);
    annot::mark("mark");
    annot::mark_value("mark", 3);
    annot::counter!("counter", 0);
    annot::counter("counter", -1);
    let memory = 4096 as *const u8;
    annot::object("grid", memory, 64);
    annot::object(&long, memory, 1);
    annot::object("nothing", std::ptr::null::<u8>(), 64);
    annot::object("nothing", memory, 0);
    annot::object_end(memory);
    annot::mark(&long);
    annot::mark("");
    annot::mark!("");
    annot::mark("cut\0off");
    annot::mark!("cut\0off");
    generic::<i8>();
    generic::<i64>();
    let moved = annot::span!("moved");
    let kept = Some(moved);
    drop(kept);
    annot::thread_name("a name of more than 15 bytes");
    let name = std::fs::read_to_string("/proc/self/comm").unwrap();
    assert_eq!(name, "a name of more \n");
    assert!(annot::enabled());
    assert!(annot::status().contains("tracefs/trace_marker"));
}
